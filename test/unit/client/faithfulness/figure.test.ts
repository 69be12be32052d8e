import { correlationFigure, meanFigure } from '../../../../src/client/faithfulness/measures.ts';
import { describe, expect, it } from 'vitest';

describe('correlationFigure', () => {
  it('has an interval that is narrower with more pairs, and stays within −1 and 1', () => {
    const [few, many] = [correlationFigure('spearman', 0.9, 8), correlationFigure('spearman', 0.9, 200)];
    const width = (figure: typeof few) => (figure?.interval ? figure.interval[1] - figure.interval[0] : NaN);
    expect(width(many)).toBeLessThan(width(few) / 3);
    expect(few?.interval?.[1]).toBeLessThan(1);
  });
  it('knows the variances of Fieller, Hartley and Pearson', () => {
    const reach = 1.96 * Math.sqrt(0.437 / 96);
    const [low, high] = [Math.tanh(-reach), Math.tanh(reach)];
    expect(correlationFigure('kendall', 0, 100)).toEqual({ value: 0, interval: [low, high] });
  });
  it('has none for a perfect or a short order, and is null where it is not defined', () => {
    expect(correlationFigure('kendall', 1, 50)).toEqual({ value: 1, interval: null });
    expect(correlationFigure('spearman', 0.5, 3)).toEqual({ value: 0.5, interval: null });
    expect(correlationFigure('spearman', NaN, 9)).toBeNull();
  });
});

describe('meanFigure', () => {
  it('has Student’s interval', () => {
    const { value, interval } = meanFigure([1, 2, 3]) ?? {};
    expect(value).toBe(2);
    expect(interval?.[1]).toBeCloseTo(2 + 4.303 / Math.sqrt(3), 9);
  });
  it('has no interval for one value, and no figure for none', () => {
    expect(meanFigure([7])).toEqual({ value: 7, interval: null });
    expect(meanFigure([])).toBeNull();
  });
});
