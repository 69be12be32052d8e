import { describe, expect, it } from 'vitest';
import { factorsOnPicture } from '../../../../workers/kernels/attention-control.ts';
import { centreSquare, gridOf, pictureSections, type SeenPicture } from '../../../../workers/kernels/image-tiles.ts';

const grid = gridOf(144);
/** The picture of the recorded request: the model sees its middle. */
const wide: SeenPicture = { width: 1200, height: 630, square: centreSquare(1200, 630), grid };
const square: SeenPicture = { width: 120, height: 120, square: centreSquare(120, 120), grid };
const all = { left: 0, top: 0, width: 1, height: 1 };

const factors = (control: object, picture: SeenPicture = square, first = 0) =>
  factorsOnPicture({ ...all, factor: 2, overlap: 'partial', ...control }, picture, first);

describe('centreSquare', () => {
  it.each([
    [1200, 630, { x: 285, y: 0, size: 630 }],
    [3, 8, { x: 0, y: 2, size: 3 }],
    [5, 5, { x: 0, y: 0, size: 5 }],
  ])('lies in the middle of %i × %i', (width, height, expected) => {
    expect(centreSquare(width, height)).toEqual(expected);
  });
});

describe('gridOf', () => {
  it('lays 144 tokens as 12 × 12', () => expect(gridOf(144)).toEqual({ side: 12, tokensPerTile: 1 }));
  it('keeps tokens together that form no square', () => expect(gridOf(65)).toEqual({ side: 1, tokensPerTile: 65 }));
});

describe('factorsOnPicture', () => {
  it('covers all tiles by the whole picture, at their positions', () => {
    const found = factors({ factor: 0.1 }, square, 7);
    expect(found.map(({ position }) => position)).toEqual(Array.from({ length: 144 }, (_, i) => 7 + i));
    expect(new Set(found.map(({ factor }) => factor))).toEqual(new Set([0.1]));
  });

  it('moves the factor towards 1 by the share of a tile: half a tile of 2.0 is 1.5', () => {
    const half = { left: 1 / 12, top: 0, width: 1 / 24, height: 1 / 12 };
    expect(factors(half)).toEqual([{ position: 1, factor: 1.5 }]);
    expect(factors({ ...half, overlap: 'complete' })).toEqual([{ position: 1, factor: 2 }]);
  });

  it('counts areas, not lengths: a quarter of each of four tiles', () => {
    const corner = { left: 0.5 / 12, top: 0.5 / 12, width: 1 / 12, height: 1 / 12, factor: 0 };
    expect(factors(corner)).toEqual([0, 1, 12, 13].map((position) => ({ position, factor: expect.closeTo(0.75, 9) })));
  });

  it('touches no neighbour by rounding, not even with complete overlap', () => {
    for (const side of [3, 6, 12])
      for (let i = 0; i < side; i++) {
        // As the recorded service rounds: 0.33333334.
        const left = Math.fround(i / side);
        const found = factors({ left, width: Math.fround(1 / side), overlap: 'complete' });
        expect(found).toHaveLength(144 / side);
      }
  });

  it('measures rectangles on the whole picture, tiles on the square that is seen', () => {
    expect(factors({ width: 0.2 }, wide)).toEqual([]); // ends at 240, the square begins at 285
    const first = factors({ left: 285 / 1200, width: 52.5 / 1200 }, wide);
    expect(first.map(({ position }) => position)).toEqual(Array.from({ length: 12 }, (_, row) => row * 12));
    expect(first.every(({ factor }) => factor === 2)).toBe(true);
    const cropped = { ...wide, square: { x: 0, y: 30, size: 600 } };
    expect(factors({ left: 0, top: 0, width: 0.5, height: 30 / 630 }, cropped)).toEqual([]);
  });

  it('puts one factor on all tokens where they lie on no grid', () => {
    const found = factors({ width: 0.5 }, { ...square, grid: gridOf(65) }, 2);
    expect(found.map(({ position }) => position)).toEqual(Array.from({ length: 65 }, (_, i) => 2 + i));
    expect(new Set(found.map(({ factor }) => factor))).toEqual(new Set([1.5]));
  });

  it('does nothing for a rectangle without area', () => expect(factors({ width: 0, overlap: 'complete' })).toEqual([]));
});

describe('pictureSections', () => {
  it.each([
    ['token', 144],
    ['word', 36],
    ['sentence', 9],
    ['paragraph', 1],
    ['custom', 1],
  ] as const)('cuts %s into %i', (type, count) => expect(pictureSections(type, grid)).toHaveLength(count));

  it('goes row by row and covers everything once', () => {
    const sections = pictureSections('sentence', grid);
    expect(sections.slice(0, 4).map(({ left, top }) => [left, top])).toEqual([
      [0, 0],
      [1 / 3, 0],
      [2 / 3, 0],
      [0, 1 / 3],
    ]);
    const area = sections.reduce((sum, { width, height }) => sum + width * height, 0);
    expect(area).toBeCloseTo(1, 12);
  });

  it('has no more sections than tiles', () => {
    expect(pictureSections('word', gridOf(16))).toHaveLength(16);
    expect(pictureSections('token', gridOf(65))).toHaveLength(1);
  });
});
