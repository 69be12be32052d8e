import type { Square } from '../../../src/protocol/prompt.ts';
import { withoutColourNotes } from '../../kernels/images/colour-notes.ts';
import { checkCanvas, PATTERN_SIDE } from './canvas-check.ts';
import type { DecodePicture, Picture } from './image-reader.ts';

/**
 * Decodes with the browser's own decoders, first frame only, turned as the camera noted. Colours are left as they are in
 * the file, because encoders were trained on pictures that were read without colour management. `pixels` throws a
 * `FailureError` where the browser does not let them be read.
 */
export const decodePicture: DecodePicture = async (bytes, format) => {
  const blob = new Blob(withoutColourNotes(bytes), { type: `image/${format.toLowerCase()}` });
  try {
    return pictureOf(await createImageBitmap(blob, { colorSpaceConversion: 'none' }));
  } catch (error) {
    if (error instanceof DOMException) return undefined; // InvalidStateError: the file cannot be decoded
    throw error;
  }
};

function pictureOf(bitmap: ImageBitmap): Picture {
  return {
    width: bitmap.width,
    height: bitmap.height,
    pixels: (square) => pixelsOf(bitmap, square),
    close: () => bitmap.close(),
  };
}

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

/** What a browser does to a canvas it does to all of a page; one that failed may be allowed meanwhile. */
function checkOnce(): void {
  if (!isChecked) checkCanvas(canvasOf(PATTERN_SIDE));
  isChecked = true;
}
