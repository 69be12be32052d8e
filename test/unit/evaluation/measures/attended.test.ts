import { describe, expect, it } from 'vitest';
import { attendedBy, sumOverTokens } from '../../../../evaluation/measures/attended.ts';
import { spans } from '../../../support/spans.ts';

describe('attendedBy', () => {
  /** Two heads, three queries, three keys. */
  const weights = Float32Array.of(1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5, 1, 0, 0, 0, 1, 0, 0.75, 0.25, 0);
  const dimensions = [1, 2, 3, 3];

  it('is the mean over heads of the last row', () =>
    expect([...attendedBy(weights, dimensions, 1)]).toEqual([0.5, 0.25, 0.25]));
  it('is the mean over the last rows', () =>
    expect([...attendedBy(weights, dimensions, 2)]).toEqual([0.375, 0.5, 0.125]));
  it('refuses more rows than there are queries', () =>
    expect(() => attendedBy(weights, dimensions, 4)).toThrow('at least 4'));
  it('refuses several sequences', () => expect(() => attendedBy(weights, [2, 1, 3, 3], 1)).toThrow('[2, 1, 3, 3]'));
});

describe('sumOverTokens', () => {
  it("adds up a word's tokens, and counts one that reaches over two words to both", () => {
    const tokens = spans([0, 2], [2, 3], [5, 1]);
    const words = spans([0, 4], [4, 2]);
    expect(sumOverTokens([1, 10, 100], tokens, words)).toEqual([11, 110]);
  });
});
