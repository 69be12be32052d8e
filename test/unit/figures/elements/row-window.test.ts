import { describe, expect, it } from 'vitest';
import { drawnRows, heightOfRows, rangeAt, skippedAfter } from '../../../../src/figures/elements/row-window.ts';

describe('drawnRows', () => {
  it('draws the rows of the range, and says how many stand before them', () => {
    const drawn = drawnRows(100, { first: 40, end: 43 }, -1);
    expect(drawn).toEqual([
      { index: 40, skipped: 40 },
      { index: 41, skipped: 0 },
      { index: 42, skipped: 0 },
    ]);
    expect(skippedAfter(100, drawn)).toBe(57);
  });

  it.each([
    ['above', 3, [3, 40, 41], [3, 36, 0], 58],
    ['below', 99, [40, 41, 99], [40, 0, 57], 0],
    ['inside', 41, [40, 41], [40, 0], 58],
  ])('keeps one row %s the range', (_, kept, indices, skipped, behind) => {
    const drawn = drawnRows(100, { first: 40, end: 42 }, kept);
    expect(drawn.map(({ index }) => index)).toEqual(indices);
    expect(drawn.map((row) => row.skipped)).toEqual(skipped);
    expect(skippedAfter(100, drawn)).toBe(behind);
  });

  it('accounts for every row, whatever is in sight', () => {
    for (let first = -20; first < 60; first += 7)
      for (const kept of [-1, 0, 17, 39]) {
        const drawn = drawnRows(40, { first, end: first + 12 }, kept);
        const skipped = drawn.reduce((sum, row) => sum + row.skipped, 0);
        expect(drawn.length + skipped + skippedAfter(40, drawn)).toBe(40);
      }
  });

  it('draws nothing of nothing', () => {
    expect(drawnRows(0, { first: 0, end: 30 }, 0)).toEqual([]);
    expect(skippedAfter(0, [])).toBe(0);
  });
});

describe('rangeAt', () => {
  it('holds what is in sight, and some rows beyond', () => {
    const { first, end } = rangeAt(1000, 500, 34);
    expect(first).toBeLessThan(Math.floor(1000 / 34));
    expect(end).toBeGreaterThan(Math.ceil(1500 / 34));
  });
  it('begins with the first row', () => expect(rangeAt(0, 500, 34).first).toBe(0));
});

it('a gap is as tall as its rows and the spaces between them', () => expect(heightOfRows(3)).toBe('calc(6rem + 4px)'));
