import { describe, expect, it } from 'vitest';
import { inTurn, isIn, LENGTH_BANDS } from '../../../../evaluation/data/lengths.ts';

describe('inTurn', () => {
  it('takes one of each length, in order, and leaves out what is of none', () => {
    const items = [160, 170, 900, 149, 260, 180, 1000, 1001].map((tokens) => ({ tokens }));
    expect(inTurn(items).map(({ tokens }) => tokens)).toEqual([160, 260, 900, 170, 1000, 180]);
  });

  it('has bands that touch and do not overlap', () => {
    for (const tokens of [150, 249, 250, 379, 380, 1000])
      expect(LENGTH_BANDS.filter((band) => isIn(band, { tokens }))).toHaveLength(1);
  });
});
