import { describe, expect, it } from 'vitest';
import { meanOf, mostFrequent } from '../../../../evaluation/measures/mean.ts';

describe('meanOf', () => {
  it('gives the mean and its standard error', () => {
    // squared differences 4 + 0 + 4 = 8, over n − 1 = 2, over n = 3
    const { value, error } = meanOf([1, 3, 5]);
    expect(value).toBe(3);
    expect(error).toBeCloseTo(Math.sqrt(4 / 3), 12);
  });
  it('has no error for one value', () => expect(meanOf([2])).toEqual({ value: 2, error: 0 }));
  it('refuses nothing', () => expect(() => meanOf([])).toThrow('at least one value'));
});

describe('mostFrequent', () => {
  it('finds the value that stands most often', () => expect(mostFrequent(['b', 'a', 'c', 'a'])).toBe('a'));
  it('takes the first of equals', () => expect(mostFrequent([3, 1, 1, 3])).toBe(3));
  it('refuses nothing', () => expect(() => mostFrequent([])).toThrow('at least one value'));
});
