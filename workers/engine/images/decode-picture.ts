import { withoutColourMetadata } from '../../kernels/image-pixels.ts';
import type { Square } from '../../../src/protocol/model-job.ts';
import type { DecodePicture } from './image-reader.ts';
import { FailureError } from '../../../src/contract/failure.ts';

/**
 * Decodes with the browser's own decoders, first frame only, in the orientation that the file declares. Colours stay as they are
 * in the file, because encoders were trained on pictures read without colour management. `pixels` throws a `FailureError` where
 * the browser does not allow reading them.
 */
export const decodePicture: DecodePicture = async (bytes, format) => {
  const blob = new Blob(withoutColourMetadata(bytes), { type: `image/${format.toLowerCase()}` });
  try {
    const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' });
    const { width, height } = bitmap;
    return { width, height, pixels: (square) => pixelsOf(bitmap, square), close: () => bitmap.close() };
  } catch (error) {
    if (error instanceof DOMException) return undefined; // InvalidStateError: the file cannot be decoded
    throw error;
  }
};

function pixelsOf(bitmap: ImageBitmap, { x, y, size }: Square): Uint8ClampedArray {
  checkOnce();
  const canvas = canvasOf(size);
  canvas.fillStyle = 'white';
  canvas.fillRect(0, 0, size, size);
  canvas.drawImage(bitmap, x, y, size, size, 0, 0, size, size);
  return canvas.getImageData(0, 0, size, size).data;
}

function canvasOf(size: number): OffscreenCanvasRenderingContext2D {
  const canvas = new OffscreenCanvas(size, size).getContext('2d', { willReadFrequently: true });
  if (canvas === null) throw new TypeError('expected a canvas to read pixels from, got none');
  return canvas;
}

let isChecked = false;

/** A browser treats all canvases of a page alike; after a failure the user may allow them. */
function checkOnce(): void {
  if (!isChecked) checkCanvas(canvasOf(PATTERN_SIDE));
  isChecked = true;
}

/** The part of a canvas that is checked. */
export interface TriedCanvas {
  createImageData(width: number, height: number): { readonly data: Uint8ClampedArray };
  putImageData(image: { readonly data: Uint8ClampedArray }, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}

/** Side of the test pattern, in pixels: large enough to detect noise on few pixels. */
export const PATTERN_SIDE = 64;

/**
 * Checks that a canvas returns the pixels that were drawn. Protections against fingerprinting (Firefox, Brave) replace them by
 * noise or white, without any sign to the page, and a picture would be explained wrongly.
 *
 * @param canvas  of `PATTERN_SIDE` pixels on each side
 * @throws {FailureError} MISSING_CAPABILITY with a message for people
 */
export function checkCanvas(canvas: TriedCanvas): void {
  const drawn = canvas.createImageData(PATTERN_SIDE, PATTERN_SIDE);
  // Opaque, because any canvas rounds transparent colours.
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
