import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPause } from '../../../../../../src/router/pause.ts';
import { cutStrings } from '../../../../../../src/router/request/long/cut-strings.ts';

const cutIn = (pieces: readonly string[]) => cutStrings(pieces, createPause(), () => undefined);

/** The text in pieces of these lengths, again and again. */
function inLengths(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const length = lengths[i % lengths.length] ?? text.length;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** Texts of any length, with what JSON escapes among their characters. */
const text = fc
  .tuple(fc.string({ unit: fc.constantFrom('a', '"', '\\', '/', '\n', 'é', '🙂', '\ud83d', ',') }), fc.boolean())
  .map(([each, isLong]) => (isLong ? each.repeat(Math.ceil(70_000 / (each.length || 1))) : each));

describe('cutting long strings out of a JSON text', () => {
  it('leaves a text that stands for the same, however it is divided', () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ maxLength: 3 }), fc.array(fc.oneof(text, fc.integer(), fc.constant(null)))),
        fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 }),
        async (value, lengths) => {
          const { text: rest, cut } = await cutIn(inLengths(JSON.stringify(value), lengths));
          expect(rest.length).toBeLessThan(2 ** 16 * 100);
          const restored: unknown = JSON.parse(rest, (_, each: unknown) => {
            const pieces = typeof each === 'string' ? cut.get(each) : undefined;
            return pieces ? JSON.parse(`"${pieces.join('')}"`) : each;
          });
          // Not `toEqual`, which would print megabytes.
          expect(JSON.stringify(restored) === JSON.stringify(value)).toBe(true);
        },
      ),
      { numRuns: 60 },
    ));

  it('cuts one character at a time at the worst places', async () => {
    const value = { a: `${'\\"'.repeat(40_000)}\\`, b: ['"', '\\'] };
    const { text: rest, cut } = await cutIn([...JSON.stringify(value)]);
    expect(cut.size).toBe(1);
    const [[placeholder = '', pieces = []] = []] = [...cut];
    expect(JSON.parse(`"${pieces.join('')}"`)).toBe(value.a);
    expect(JSON.parse(rest)).toEqual({ ...value, a: placeholder });
  });

  it('puts a string in place that begins as the long one and that nobody can guess', async () => {
    const texts = await Promise.all([1, 2].map(() => cutIn([`"${'word '.repeat(20_000)}"`])));
    expect(texts.map(({ text: rest }) => rest.startsWith('"word word'))).toEqual([true, true]);
    expect(texts[0]?.text).not.toBe(texts[1]?.text);
    expect(texts[0]?.text.length).toBeLessThan(120);
  });

  it('leaves out what is no JSON either', async () => {
    for (const broken of [`{"a":"${'x'.repeat(80_000)}`, `{"a":"${'x'.repeat(80_000)}"`, '{"a":"x'])
      expect(() => JSON.parse(broken)).toThrow();
    for (const broken of [`{"a":"${'x'.repeat(80_000)}`, `{"a":"${'x'.repeat(80_000)}"`, '{"a":"x']) {
      const { text: rest } = await cutIn([broken]);
      expect(() => JSON.parse(rest)).toThrow();
    }
  });

  it('counts what is left, strings that were cut and commas inside strings left out', async () => {
    const seen: unknown[] = [];
    await cutStrings([`["${',x'.repeat(50_000)}",1,`, '2,"a,b"]'], createPause(), (left) => seen.push(left));
    expect(seen.at(-1)).toMatchObject({ commas: 3 });
    expect((seen.at(-1) as { characters: number }).characters).toBeLessThan(140);
  });
});
