import { describe, expect, it } from 'vitest';
import { controlFactors, type PlacedItem } from '../../../../workers/kernels/control-factors.ts';

const text = (first: number): PlacedItem => ({
  type: 'text',
  first,
  tokenized: {
    spans: [
      { start: 0, length: 4 },
      { start: 4, length: 4 },
    ],
  },
});
const picture: PlacedItem = {
  type: 'image',
  first: 9,
  seen: { width: 2, height: 2, square: { x: 0, y: 0, size: 2 }, grid: { side: 2, tokensPerTile: 1 } },
};
const ids: PlacedItem = { type: 'token_ids', first: 20 };

describe('controlFactors', () => {
  it('finds the positions of each kind of part', () => {
    const factors = controlFactors(
      [text(3), picture, ids],
      [
        { item: 0, span: { start: 4, length: 4 }, factor: 0.5, overlap: 'partial' },
        { item: 1, rect: { left: 0.5, top: 0, width: 0.5, height: 0.5 }, factor: 0.25, overlap: 'complete' },
        { item: 2, index: 1, factor: 0, overlap: 'complete' },
      ],
    );
    expect([...factors]).toEqual([
      [4, 0.5],
      [10, 0.25],
      [21, 0],
    ]);
  });

  it('multiplies controls on one position', () => {
    const half = { item: 0, span: { start: 0, length: 4 }, factor: 0.5, overlap: 'partial' as const };
    expect([...controlFactors([text(0)], [half, half])]).toEqual([[0, 0.25]]);
  });

  it('does nothing with a part that the item does not have, or with an item that is not there', () => {
    const rect = { left: 0, top: 0, width: 1, height: 1 };
    const wrong = { factor: 0, overlap: 'complete' as const };
    expect(controlFactors([text(0)], [{ item: 0, rect, ...wrong }]).size).toBe(0);
    expect(controlFactors([text(0)], [{ item: 5, index: 0, ...wrong }]).size).toBe(0);
  });
});
