import { describe, expect, it } from 'vitest';
import { massOn } from '../../../../../evaluation/measures/pictures/tile-mass.ts';

/** Scores of a picture of so many tiles, row by row. */
function scoresOf(...values: readonly number[]) {
  const side = Math.sqrt(values.length);
  return values.map((score, i) => {
    const rect = { left: (i % side) / side, top: Math.floor(i / side) / side, width: 1 / side, height: 1 / side };
    return { rect, score };
  });
}

describe('massOn', () => {
  const scores = scoresOf(1, 0, 0, 0, 4, 2, -3, 0, 1);

  it('is the share of positive scores on the tiles, beside their share of the picture', () =>
    expect(massOn(scores, { top: 1, bottom: 2, left: 1, right: 3 })).toEqual({
      mass: 6 / 8,
      area: 2 / 9,
      holdsTop: true,
    }));
  it('says when the greatest score lies elsewhere', () =>
    expect(massOn(scores, { top: 2, bottom: 3, left: 0, right: 3 })).toEqual({
      mass: 1 / 8,
      area: 3 / 9,
      holdsTop: false,
    }));
  it('is 0 where nothing is positive', () =>
    expect(massOn(scoresOf(-1, 0, 0, 0), { top: 1, bottom: 2, left: 0, right: 1 }).mass).toBe(0));
  it('refuses what is no square', () =>
    expect(() => massOn(scores.slice(1), { top: 0, bottom: 1, left: 0, right: 1 })).toThrow('square'));
});
