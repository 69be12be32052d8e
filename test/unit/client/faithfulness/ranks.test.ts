import { averageRanks, kendallTau, rankCorrelation } from '../../../../src/client/faithfulness/measures.ts';
import { describe, expect, it } from 'vitest';

describe('averageRanks', () => {
  it('counts from 1, and gives equal values the mean of their ranks', () =>
    expect([...averageRanks([3, 1, 3, 2])]).toEqual([3.5, 1, 3.5, 2]));
  it('knows no values', () => expect([...averageRanks([])]).toEqual([]));
});

describe('rankCorrelation', () => {
  it('is 1 − 6 Σd² / (n (n² − 1)) without ties', () =>
    expect(rankCorrelation([1, 2, 3, 4], [10, 300, 20, 4000])).toBeCloseTo(0.8, 12));
  it('is the correlation of the ranks with ties', () =>
    expect(rankCorrelation([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12));
  it('is −1 for the opposite order', () => expect(rankCorrelation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12));
  it('is not defined where all are equal', () => expect(rankCorrelation([1, 1], [1, 2])).toBeNaN());
  it('refuses sides of different lengths', () => expect(() => rankCorrelation([1], [1, 2])).toThrow(RangeError));
});

describe('kendallTau', () => {
  it('is the share of pairs in the same order minus that of the others', () =>
    expect(kendallTau([1, 2, 3, 4], [1, 3, 2, 4])).toBeCloseTo(4 / 6, 12));
  it('is corrected for ties', () => expect(kendallTau([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(5 / Math.sqrt(30), 12));
  it('is −1 for the opposite order', () => expect(kendallTau([1, 2, 3], [3, 2, 1])).toBe(-1));
  it('is not defined where all are equal', () => expect(kendallTau([1, 1], [1, 2])).toBeNaN());
});
