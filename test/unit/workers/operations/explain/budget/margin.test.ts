import { describe, expect, it } from 'vitest';
import { coveringRatio, type Estimate, marginsOf } from '../../../../../../workers/operations/explain/budget/margin.ts';

const estimate = (score: number, left: number, exact?: number): Estimate => ({
  row: Float64Array.of(score, 0),
  left,
  exact: exact === undefined ? undefined : Float64Array.of(exact, 0),
});

describe('coveringRatio', () => {
  it('is what nine in ten do not exceed, counted with the next one', () => {
    const ratios = Array.from({ length: 19 }, (_, i) => i + 1);
    expect(coveringRatio(ratios)).toBe(18); // ⌈0.9 · 20⌉
  });
  it('is the largest of few, in any order', () => expect(coveringRatio([3, 9, 1])).toBe(9));
  it('is 0 without any', () => expect(coveringRatio([])).toBe(0));
});

describe('marginsOf', () => {
  const all = [estimate(1, 4), estimate(-4, 1), estimate(9, 0)];

  it("multiplies a model's constants by the root of the usual score times what was left out", () => {
    const margins = marginsOf(all, all, { whole: 0.5, tokens: 0.1 });
    expect(margins.isCalibrated).toBe(true);
    expect([...margins.whole]).toEqual([0.5 * Math.sqrt(4 * 4), 0.5 * Math.sqrt(4), 0]);
    [0.1 * 4, 0, 0.1 * 2, 0, 0, 0].forEach((margin, at) => expect(margins.tokens[at]).toBeCloseTo(margin, 12));
  });

  it('takes the errors of exact scores where the model has no constants', () => {
    const known = [estimate(1, 4, 1.5), estimate(-4, 1, -3.5)];
    const margins = marginsOf([estimate(2, 1)], known, undefined);
    expect(margins.isCalibrated).toBe(false);
    expect(margins.whole[0]).toBeCloseTo((0.5 / Math.sqrt(4)) * Math.sqrt(4), 12);
  });

  it('says nothing of errors where none is known', () =>
    expect([...marginsOf([estimate(2, 1)], [estimate(1, 4)], undefined).whole]).toEqual([0]));
});
