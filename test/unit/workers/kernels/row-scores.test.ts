import { describe, expect, it } from 'vitest';
import { nearbyRowScores, rowScores } from '../../../../workers/kernels/row-scores.ts';

/** Three positions, of which the last predicts; one layer before the last. */
const attention = {
  earlier: Float32Array.of(1, 0, 0, 0.25, 0.75, 0, 0.1, 0.5, 0.4),
  last: Float32Array.of(0.5, 0.25, 0.25),
};

describe('rowScores', () => {
  it('multiplies what a row pays to the change by what is read of the row', () => {
    const [scores = []] = rowScores(attention, 3, [{ start: 0, change: [0.9, 0, 0] }]);
    // The last row reads half of itself straight on and half by attention: rows 0 and 1 get 0.25 and 0.125 of it.
    [0.9 * 0.25, 0.9 * 0.25 * 0.125].forEach((score, row) => expect(scores[row]).toBeCloseTo(score, 6));
  });

  it('is 0 in front of the change, and has no rows that predict', () => {
    const [scores = []] = rowScores(attention, 3, [{ start: 1, change: [0, 1, 0] }]);
    expect(scores).toHaveLength(2);
    expect(scores[0]).toBe(0);
    expect(scores[1]).toBeCloseTo(0.75 * 0.125, 6);
  });
});

describe('nearbyRowScores', () => {
  it('prefers rows behind the change and at the end, and none in front', () => {
    const [scores = []] = nearbyRowScores(6, [2]);
    expect([...scores].slice(0, 2)).toEqual([0, 0]);
    expect(scores[2]).toBeGreaterThan(scores[3] ?? NaN);
    expect(scores[5]).toBeGreaterThan(scores[4] ?? NaN);
  });
});
