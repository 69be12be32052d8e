import { describe, expect, it } from 'vitest';
import { pointingOf, sumOf, sumOfShares, touching } from '../../../../../evaluation/measures/ranking/relevance.ts';
import { spans } from '../../../../support/spans.ts';

describe('pointingOf', () => {
  it('measures the mass on the labels, and their share of the greatest score', () => {
    // Σxy = 3, Σx = 4; (3 ÷ 3 + 0 ÷ 3) ÷ 2 labels
    const { precision, recall } = pointingOf([1, 3, 0], [0, 1, 1]);
    expect(precision).toBeCloseTo(3 / 4, 6);
    expect(recall).toBeCloseTo(1 / 2, 6);
  });
  it('counts a negative score as none', () => {
    const { precision, recall } = pointingOf([-5, 2, 1], [1, 1, 0]);
    expect(precision).toBeCloseTo(2 / 3, 6);
    expect(recall).toBeCloseTo(1 / 2, 6);
  });
  it('is 0 where nothing is positive', () => expect(pointingOf([-1, 0], [1, 0])).toEqual({ precision: 0, recall: 0 }));
  it('is 0 where nothing is labelled', () => expect(pointingOf([1, 2], [0, 0])).toEqual({ precision: 0, recall: 0 }));
});

describe('sumOf', () => {
  it('adds signed scores part by part', () =>
    expect(
      sumOf([
        [1, -2],
        [0.5, 5],
      ]),
    ).toEqual([1.5, 3]));
  it('is nothing for nothing', () => expect(sumOf([])).toEqual([]));
});

describe('sumOfShares', () => {
  it('lets each map count alike, and only where it is positive', () =>
    expect(
      sumOfShares([
        [4, 1, -2],
        [0.1, 0.2, 0.05],
        [-1, 0, -3],
      ]),
    ).toEqual([1.5, 1.25, 0.25]));
  it('is nothing for nothing', () => expect(sumOfShares([])).toEqual([]));
});

describe('touching', () => {
  it('labels what shares a character', () => {
    const words = spans([0, 3], [4, 2], [7, 4]);
    expect(touching(words, { start: 3, length: 2 })).toEqual([0, 1, 0]);
    expect(touching(words, { start: 2, length: 6 })).toEqual([1, 1, 1]);
    expect(touching(words, { start: 6, length: 1 })).toEqual([0, 0, 0]);
  });
});
