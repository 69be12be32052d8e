import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignedMatches } from '../../../../../src/pages/explain/variations/comparison.ts';

const matches = (a: string, b: string) => alignedMatches(a.split(' '), b.split(' '));

describe('alignedMatches', () => {
  it.each([
    ['what was put in', 'a c', 'a b c', [[0, 0], [1, 2]]], // oxfmt-ignore
    ['what was taken out', 'a b c', 'a c', [[0, 0], [2, 1]]], // oxfmt-ignore
    ['what was replaced', 'a b c', 'a x c', [[0, 0], [2, 2]]], // oxfmt-ignore
    ['what was moved', 'x a b c', 'a b c x', [[1, 0], [2, 1], [3, 2]]], // oxfmt-ignore
    ['repeated words in their order, earlier ones of the first list before others', 'no no yes no', 'no yes no no', [[0, 0], [1, 2], [3, 3]]], // oxfmt-ignore
    ['more of the same word by the first of them', 'no no no', 'no no', [[0, 0], [1, 1]]], // oxfmt-ignore
    ['nothing in common', 'a b', 'c d', []],
  ])('matches around %s', (_, a, b, expected) => expect(matches(a, b)).toEqual(expected));

  it('matches nothing with an empty list', () => {
    expect(alignedMatches([], ['a'])).toEqual([]);
    expect(alignedMatches(['a'], [])).toEqual([]);
  });

  it('matches equal entries only, each once, in the order of both, and as many either way round', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const found = alignedMatches(a, b);
        for (const [i, j] of found) expect(a[i]).toBe(b[j]);
        for (const [n, [i, j]] of found.slice(1).entries()) {
          expect(i).toBeGreaterThan(found[n]?.[0] ?? NaN);
          expect(j).toBeGreaterThan(found[n]?.[1] ?? NaN);
        }
        expect(alignedMatches(b, a)).toHaveLength(found.length);
      }),
    );
  });
});
