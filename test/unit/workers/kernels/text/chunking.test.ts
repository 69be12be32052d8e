import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf } from '../../../../../workers/kernels/text/chunking.ts';
import { fakeTokenizer } from '../../../../support/fakes/fake-model.ts';

/** A token for each run of letters, each other character that is no space, and each line end. */
const tokenize = (text: string) => ({ ids: Array.from(text.matchAll(/\p{L}+|[^\s\p{L}]|\n/gu), (_, i) => i) });
const cut = (text: string, limit: number) =>
  [...chunksOf(text, { limit, tokenize, longestPiece: 1000 })].map(({ span: { start, length } }) =>
    text.slice(start, start + length),
  );

describe('chunksOf', () => {
  it('leaves a short text whole, without the space around it', () => {
    expect(cut(' One. Two.\n\nThree. \n', 20)).toEqual(['One. Two.\n\nThree.']);
  });

  it.each(['', ' ', '\n\n\t'])('finds nothing in %j', (text) => {
    expect(cut(text, 20)).toEqual([]);
  });

  it('cuts at the ends of paragraphs where it can, as many to a chunk as fit', () => {
    expect(cut('a b c\n\nd e f\n\ng h i', 8)).toEqual(['a b c\n\nd e f', 'g h i']);
  });

  it('cuts a long paragraph at the ends of sentences', () => {
    expect(cut('One two three. Four five six. Seven eight nine.', 8)).toEqual([
      'One two three. Four five six.',
      'Seven eight nine.',
    ]);
  });

  it('cuts a long sentence between words, and a long word between characters', () => {
    expect(cut('a b c d e f g h', 4)).toEqual(['a b c d', 'e f g h']);
    expect(cut('1234567890', 4)).toEqual(['1234', '5678', '90']);
  });

  it('never parts a character', () => {
    expect(cut('🍕🍕🍕🍕🍕', 4).join('')).toBe('🍕🍕🍕🍕🍕');
    for (const chunk of cut('🍕🍕🍕🍕🍕', 4)) expect(chunk).not.toMatch(/\p{Surrogate}/u);
  });

  it('gives each chunk its own tokens', () => {
    for (const { span, tokenized } of chunksOf('a b c d e', { limit: 4, tokenize, longestPiece: 1000 }))
      expect(tokenized).toEqual(tokenize('a b c d e'.slice(span.start, span.start + span.length)));
  });

  it('does not tokenise in vain what is far too long', () => {
    const seen: number[] = [];
    const watched = (text: string) => {
      seen.push(text.length);
      return tokenize(text);
    };
    const text = 'word '.repeat(100_000);
    expect([...chunksOf(text, { limit: 10, tokenize: watched, longestPiece: 8 })].length).toBe(10_000);
    expect(Math.max(...seen)).toBeLessThanOrEqual(80);
  });

  it('holds all of any text but white space, in order, in chunks that fit', () => {
    const { tokenize: real, longestPiece } = fakeTokenizer();
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('a', 'the', 'Wort', '水', '. ', '\n\n', '\n', '  ', '🍕'),
    );
    const text = fc.array(word, { maxLength: 120 }).map((words) => words.join(' ').replaceAll(/\p{Surrogate}/gu, ''));
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 40 }), (whole, limit) => {
        const chunks = [...chunksOf(whole, { limit, tokenize: real, longestPiece })];
        let end = 0;
        for (const { span, tokenized } of chunks) {
          const chunk = whole.slice(span.start, span.start + span.length);
          expect(whole.slice(end, span.start).trim()).toBe('');
          expect(chunk).toBe(chunk.trim());
          expect(chunk).not.toBe('');
          expect(tokenized.ids.length).toBeLessThanOrEqual(limit);
          end = span.start + span.length;
        }
        expect(whole.slice(end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });
});
