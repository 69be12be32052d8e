import { expect, it } from 'vitest';
import { checkCanvas, PATTERN_SIDE, type TriedCanvas } from '../../../../../workers/engine/images/image-reader.ts';

/** A canvas that gives back what `spoil` makes of its pixels. */
function canvas(spoil: (pixels: Uint8ClampedArray) => Uint8ClampedArray): TriedCanvas {
  let pixels = new Uint8ClampedArray();
  return {
    createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
    putImageData: ({ data }) => void (pixels = data.slice()),
    getImageData: () => ({ data: spoil(pixels) }),
  };
}

it('lets a canvas pass that gives back what was drawn', () => {
  expect(() => checkCanvas(canvas((pixels) => pixels))).not.toThrow();
});

it.each([
  ['white', (pixels: Uint8ClampedArray) => pixels.map(() => 255)],
  ['one channel of one pixel changed', (pixels: Uint8ClampedArray) => pixels.map((x, i) => (i === 4000 ? x ^ 1 : x))],
  ['nothing', () => new Uint8ClampedArray()],
])('refuses one that gives %s', (_, spoil) => {
  expect(() => checkCanvas(canvas(spoil))).toThrow(/protect against fingerprinting/);
  expect(4 * PATTERN_SIDE ** 2).toBeGreaterThan(4000);
});
