import { FailureError } from '../../../src/contract/failure.ts';

/** The part of a canvas that is tried. */
export interface TriedCanvas {
  createImageData(width: number, height: number): { readonly data: Uint8ClampedArray };
  putImageData(image: { readonly data: Uint8ClampedArray }, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}

/** Pixels of the pattern's side: enough that noise on few pixels is met too. */
export const PATTERN_SIDE = 64;

/**
 * Checks that a canvas gives back what was drawn. Protections against fingerprinting (Firefox, Brave) put noise or white
 * in its place, without a word to the page, and a picture would be explained wrongly.
 *
 * @param canvas  of `PATTERN_SIDE` pixels on each side
 * @throws {FailureError} MISSING_CAPABILITY in words for people
 */
export function checkCanvas(canvas: TriedCanvas): void {
  const drawn = canvas.createImageData(PATTERN_SIDE, PATTERN_SIDE);
  // Opaque, because colours under transparency are rounded by any canvas.
  for (let i = 0; i < drawn.data.length; i++) drawn.data[i] = i % 4 === 3 ? 255 : (i * 89 + (i >> 6) * 31) % 256;
  canvas.putImageData(drawn, 0, 0);
  const { data } = canvas.getImageData(0, 0, PATTERN_SIDE, PATTERN_SIDE);
  if (data.length === drawn.data.length && data.every((value, i) => value === drawn.data[i])) return;
  throw new FailureError(
    'MISSING_CAPABILITY',
    'pictures: expected the pixels that were drawn on a canvas, got others: this browser changes them to protect against ' +
      'fingerprinting. Allow this site to read canvases, or use another browser.',
  );
}
