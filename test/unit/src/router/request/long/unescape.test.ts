import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPause } from '../../../../../../src/router/pause.ts';
import { unescaped } from '../../../../../../src/router/request/long/unescape.ts';

const plain = async (pieces: readonly string[]) => (await unescaped(pieces, createPause())).join('');

describe('the inside of a JSON string in pieces', () => {
  it('stands for the same wherever it is cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '\u0001', '\ud83d') }),
        fc.integer({ min: 1, max: 9 }),
        async (text, length) => {
          const inside = JSON.stringify(text).slice(1, -1);
          const count = Math.ceil(inside.length / length);
          const pieces = Array.from({ length: count }, (_, i) => inside.slice(i * length, (i + 1) * length));
          expect(await plain(pieces)).toBe(text);
        },
      ),
    ));

  it('is read where each slash is escaped', async () =>
    expect(await plain(['AA\\/', 'BB\\', '/CC', '\\u00', '3d'])).toBe('AA/BB/CC='));

  it('is the same array where nothing is escaped', async () => {
    const pieces = ['AAAA', 'BBBB'];
    expect(await unescaped(pieces, createPause())).toBe(pieces);
  });

  it.each(['\\x', 'a\\', '\\u00', '\\u00zz', 'a\nb\\/'])('is no JSON with %j', async (inside) => {
    await expect(plain([inside])).rejects.toMatchObject({ failure: { code: 'PAYLOAD_ERROR' } });
  });
});
