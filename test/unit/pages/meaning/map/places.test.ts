import { describe, expect, it } from 'vitest';
import { colouringOf } from '../../../../../src/pages/meaning/map/colouring.ts';
import { panned, pileLevels, pixelsOf, showing, wholeView, zoomed } from '../../../../../src/pages/meaning/map/view.ts';
import { labelPlaces } from '../../../../../src/pages/meaning/map/labels.ts';
import { paintPoints, stampOf } from '../../../../../src/pages/meaning/map/scene.ts';
import { middlesOf, pointAt, pointsInside, pointTowards } from '../../../../../src/pages/meaning/map/map-canvas.tsx';

const SIZE = { width: 200, height: 100 };
/** Middle, right, above, left, far right and slightly up. */
const POINTS = Float32Array.of(0, 0, 0.5, 0, 0, 0.5, -0.5, 0, 0.9, 0.1);

describe('views', () => {
  it('show the whole plane in the middle, y upwards', () => {
    expect([...pixelsOf(Float32Array.of(0, 0, 1, 1), wholeView(SIZE), SIZE)]).toEqual([100, 50, 145, 5]);
  });

  it('keep what is under the pointer there when they zoom, and move with a drag', () => {
    const view = zoomed(wholeView(SIZE), 2, { x: 145, y: 5 }, SIZE);
    const [x, y] = pixelsOf(Float32Array.of(1, 1), view, SIZE);
    expect([x ?? 0, y ?? 0].map(Math.round)).toEqual([145, 5]);
    const moved = pixelsOf(Float32Array.of(1, 1), panned(view, 10, -5), SIZE);
    expect([...moved].map(Math.round)).toEqual([155, 0]);
  });

  it('move only where a point is out of sight', () => {
    const view = wholeView(SIZE);
    expect(showing(view, [0.5, 0.5], SIZE)).toBe(view);
    expect(showing(view, [9, 0], SIZE)).toMatchObject({ x: 9, y: 0 });
  });
});

describe('places', () => {
  it('finds the point under the pointer, within reach', () => {
    const pixels = pixelsOf(POINTS, wholeView(SIZE), SIZE);
    expect(pointAt(pixels, 102, 51, 5)).toBe(0);
    expect(pointAt(pixels, 60, 90, 5)).toBeNull();
  });

  it.each([
    ['right', 1],
    ['left', 3],
    ['up', 2],
    ['down', 0],
  ] as const)('walks %s to the nearest point there, or stays', (direction, to) => {
    expect(pointTowards(POINTS, 0, direction)).toBe(to);
  });

  it('chooses what a line goes around', () => {
    const pixels = pixelsOf(POINTS, wholeView(SIZE), SIZE);
    expect(
      pointsInside(pixels, [
        [90, 20],
        [130, 20],
        [130, 60],
        [90, 60],
      ]),
    ).toEqual([0, 1, 2]);
    expect(pointsInside(pixels, [[0, 0]])).toEqual([]);
  });

  it('puts the middle of a group where most of it is', () => {
    const colouring = colouringOf(['a', 'a', 'a', 'b'], (value) => [value]);
    expect(middlesOf(Float32Array.of(0, 0, 1, 1, 9, 9, 2, 3), colouring)).toEqual([
      [1, 1],
      [2, 3],
    ]);
  });
});

describe('piles', () => {
  it('grow with the points at one place, up to a limit', () => {
    const at = (x: number, count: number) => Array.from({ length: count }, () => [x, 3]).flat();
    const levels = pileLevels(Float32Array.from([...at(3, 1), ...at(13, 3), ...at(23, 100)]), 5);
    expect([levels[0], levels[1], levels[5]]).toEqual([0, 1, 3]);
  });
});

describe('labels', () => {
  const LABEL = { width: 40, height: 12 };
  const place = (labels: readonly (typeof LABEL)[], middles: number[], points: number[], radius = 4) => {
    const discs = { positions: Float32Array.from(points), radii: new Float32Array(points.length / 2).fill(radius) };
    return labelPlaces(labels, Float32Array.from(middles), discs, SIZE);
  };

  it('stay in the middle of their points where there is room', () => {
    expect(place([LABEL], [100, 50], [60, 50, 140, 50])).toEqual([[80, 44]]);
  });

  it('move away from points and from each other', () => {
    const points = [100, 50, 104, 46, 90, 52];
    const places = place([LABEL, LABEL], [100, 50, 100, 50], points);
    for (const [left = NaN, top = NaN] of places.map((one) => one ?? []))
      for (let at = 0; at < points.length; at += 2) {
        const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
        expect(x + 4 <= left || x - 4 >= left + 40 || y + 4 <= top || y - 4 >= top + 12).toBe(true);
      }
    const [[, first = NaN] = [], [, second = NaN] = []] = places.map((one) => one ?? []);
    expect(Math.abs(first - second)).toBeGreaterThanOrEqual(12);
  });

  it('have no place where points are everywhere', () => {
    const everywhere = Array.from({ length: 800 }, (_, at) => [(at % 40) * 5, Math.floor(at / 40) * 5]).flat();
    expect(place([LABEL], [100, 50], everywhere)).toEqual([null]);
  });
});

describe('paintPoints', () => {
  it('stamps points on a ground, the last on top, and leaves out what is outside', () => {
    const pixels = { width: 5, height: 5, values: new Uint32Array(25) };
    const positions = Float32Array.of(2, 2, 2, 2, 40, 2);
    paintPoints(
      pixels,
      0xff000000,
      { positions, colours: Uint32Array.of(0xff0000ff, 0xff00ff00, 1), levels: new Uint8Array(3) },
      [stampOf(1)],
    );
    expect(pixels.values[12]).toBe(0xff00ff00);
    expect(pixels.values[0]).toBe(0xff000000);
    paintPoints(
      pixels,
      0xff000000,
      {
        positions,
        colours: Uint32Array.of(0xff0000ff, 0xff00ff00, 1),
        levels: new Uint8Array(3),
        order: Uint32Array.of(1, 0),
      },
      [stampOf(1)],
    );
    expect(pixels.values[12]).toBe(0xff0000ff);
  });

  it('mixes at the edge, and stays opaque', () => {
    const pixels = { width: 7, height: 7, values: new Uint32Array(49) };
    paintPoints(
      pixels,
      0xff000000,
      { positions: Float32Array.of(3, 3), colours: Uint32Array.of(0xffffffff), levels: new Uint8Array(1) },
      [stampOf(1.2)],
    );
    const edge = pixels.values[3 * 7 + 5] ?? 0;
    expect(edge >>> 24).toBe(255);
    expect(pixels.values.every((value) => value >>> 24 === 255)).toBe(true);
  });
});
