import { describe, expect, it } from 'vitest';
import { areaUnderCurve } from '../../../../../evaluation/measures/ranking/ranks.ts';

describe('areaUnderCurve', () => {
  it('is the share of pairs in the right order', () =>
    expect(areaUnderCurve([0.9, 0.8, 0.7, 0.1], [true, false, true, false])).toBe(3 / 4));
  it('counts a tie half', () => {
    expect(areaUnderCurve([0.5, 0.5], [true, false])).toBe(0.5);
    expect(areaUnderCurve([2, 1, 1], [true, true, false])).toBe(1.5 / 2);
  });
  it('is not defined without one of the kinds', () => expect(areaUnderCurve([1, 2], [true, true])).toBeNaN());
});
