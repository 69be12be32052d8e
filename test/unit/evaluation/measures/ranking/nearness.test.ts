import { describe, expect, it } from 'vitest';
import { cosine } from '../../../../../evaluation/measures/ranking/cosine.ts';
import { nearnessTo, rankOf, recallAt } from '../../../../../evaluation/measures/ranking/nearness.ts';

describe('cosine', () => {
  it('is the inner product over the lengths', () => expect(cosine([3, 4], [4, 3])).toBeCloseTo(24 / 25, 12));
  it('is not defined for nothing', () => expect(cosine([0, 0], [1, 0])).toBeNaN());
});

describe('nearnessTo', () => {
  it('is the inner product with each', () => {
    const near = nearnessTo([
      [1, 0, 2],
      [0, 1, 0],
    ]);
    expect([...near([0.5, 0, 3])]).toEqual([6.5, 0]);
    expect([...near([0, -2, 0])]).toEqual([0, -2]);
  });
});

describe('rankOf', () => {
  it('counts those before it', () => expect(rankOf([0.2, 0.9, 0.5], 2)).toBe(2));
  it('counts ties against it', () => expect(rankOf([0.5, 0.5, 0.5], 1)).toBe(3));
  it('refuses a place that is not there', () => expect(() => rankOf([1], -1)).toThrow(RangeError));
});

describe('recallAt', () => {
  it('is the share of ranks among the first', () => expect(recallAt(10, [1, 10, 11, 400])).toBe(0.5));
});
