import { describe, expect, it } from 'vitest';
import {
  combined,
  controlFactors,
  cosineOf,
  denseFactors,
  factorsOnText,
  type PlacedItem,
  spread,
} from '../../../../workers/kernels/attention-control.ts';
import { spans } from '../../../support/spans.ts';

const tokens = spans([0, 4], [5, 4]);

describe('factorsOnText', () => {
  it('moves the factor towards 1 by the share that is not covered', () => {
    const control = { start: 0, length: 2, factor: 2, overlap: 'partial' as const };
    expect(factorsOnText(control, tokens, 10)).toEqual([{ position: 10, factor: 1.5 }]);
  });

  it('applies the full factor at any overlap when that is wanted', () => {
    const control = { start: 3, length: 3, factor: 0.1, overlap: 'complete' as const };
    expect(factorsOnText(control, tokens, 0)).toEqual([
      { position: 0, factor: 0.1 },
      { position: 1, factor: 0.1 },
    ]);
  });

  it('touches nothing between tokens', () => {
    expect(factorsOnText({ start: 4, length: 1, factor: 0, overlap: 'complete' }, tokens, 0)).toEqual([]);
  });
});

describe('combined', () => {
  it('multiplies controls on one position', () => {
    const factors = [
      { position: 3, factor: 0.5 },
      { position: 3, factor: 0.2 },
    ];
    expect(combined(factors).get(3)).toBeCloseTo(0.1);
  });
});

describe('spread', () => {
  const similarity = (_: number, j: number) => [1, 0.5, 0.9, -0.8][j] ?? 0;
  const from = (factor: number, threshold: number) =>
    spread(new Map([[0, factor]]), { threshold, positions: 4, similarity });

  it('adapts the factor to the similarity, from the threshold on', () => {
    const factors = from(0.1, 0.5);
    expect(factors.get(1)).toBeCloseTo(0.55); // (1 − 0.1)(1 − 0.5) + 0.1
    expect(factors.get(2)).toBeCloseTo(0.19);
    expect(from(0.1, 0.6).has(1)).toBe(false);
  });

  it('never spreads to an opposite, nor from a factor of 1', () => {
    expect(from(0.1, -1).has(3)).toBe(false);
    expect([...from(1, 0).keys()]).toEqual([0]);
  });

  it('leaves a named position its own factor', () => {
    const named = new Map([
      [0, 0.1],
      [2, 3],
    ]);
    expect(spread(named, { threshold: 0, positions: 4, similarity }).get(2)).toBe(3);
  });

  it('takes the factor furthest from 1 when several reach a position', () => {
    const named = new Map([
      [0, 0.9],
      [3, 0],
    ]);
    const factors = spread(named, { threshold: 0, positions: 4, similarity: (_, j) => (j === 1 ? 0.5 : 0) });
    expect(factors.get(1)).toBeCloseTo(0.5);
  });
});

describe('denseFactors', () => {
  it('is 1 where nothing is set and ignores positions beyond the end', () => {
    const dense = denseFactors(
      new Map([
        [1, 0.5],
        [9, 0],
      ]),
      3,
    );
    expect([...dense]).toEqual([1, 0.5, 1]);
  });
});

describe('cosineOf', () => {
  const cosine = cosineOf(Float32Array.of(1, 0, 2, 0, 0, 3, 0, 0, -1, -1), 2);
  it('is 1 for the same direction and 0 for a right angle', () => {
    expect(cosine(0, 1)).toBe(1);
    expect(cosine(0, 2)).toBe(0);
    expect(cosine(0, 4)).toBeCloseTo(-Math.SQRT1_2);
  });
  it('is exactly 1 for rows of the same numbers', () => {
    const row = Float32Array.from({ length: 96 }, (_, k) => Math.sin(k * 12.9898) / 3);
    for (let scale = 1; scale < 200; scale++) {
      const scaled = row.map((value) => value * scale * 0.013);
      expect(cosineOf(Float32Array.of(...scaled, ...scaled), 96)(0, 1)).toBe(1);
    }
  });
  it('is 0 for a row of zeros', () => expect(cosine(0, 3)).toBe(0));
  it('refuses a matrix that is no whole number of rows', () => {
    expect(() => cosineOf(new Float32Array(5), 2)).toThrow(RangeError);
  });
});

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
