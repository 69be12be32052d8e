import { describe, expect, it } from 'vitest';
import { correlationOf } from '../../../../../evaluation/measures/ranking/correlation.ts';

describe('correlationOf', () => {
  it('is 1 and −1 for pairs on a line', () => {
    const xs = [1, 2, 4, 9];
    expect(correlationOf(xs.map((x) => [x, 3 * x - 5]))).toBeCloseTo(1, 12);
    expect(correlationOf(xs.map((x) => [x, 7 - x]))).toBeCloseTo(-1, 12);
  });
  it('agrees with a worked example', () => {
    // deviations (−1, 0, 1) and (−1, 2, −1) have the product 0; (−1, 0, 1) and (−4, −1, 5) have 9 over √(2 · 42)
    expect(
      correlationOf([
        [1, 1],
        [2, 4],
        [3, 1],
      ]),
    ).toBeCloseTo(0, 12);
    expect(
      correlationOf([
        [1, 0],
        [2, 3],
        [3, 9],
      ]),
    ).toBeCloseTo(9 / Math.sqrt(84), 12);
  });
  it.each([
    [[]],
    [[[1, 2]]],
    [
      [
        [1, 2],
        [1, 5],
      ],
    ],
  ])('is none for %j', (pairs) => expect(correlationOf(pairs as [number, number][])).toBeNull());
});
