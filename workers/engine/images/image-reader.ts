import { FailureError } from '../../../src/contract/failure.ts';
import type { ImageFormat, Square } from '../../../src/protocol/prompt.ts';
import { gridOf, type TileGrid } from '../../kernels/images/image-tiles.ts';
import { normalisedPixels, resampled } from '../../kernels/images/resample.ts';
import type { ImageProcessor } from './image-processor.ts';
import type { VisionEncoder } from './vision-encoder.ts';

/** A decoded picture. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Pixels of a square, `[size, size, 4]`; transparent pixels are drawn on white. */
  pixels(square: Square): Uint8ClampedArray;
  /** Frees its memory. */
  close(): void;
}

/** Decodes a file; undefined when it is broken. The platform does it, so that tests can do without. */
export type DecodePicture = (bytes: Uint8Array<ArrayBuffer>, format: ImageFormat) => Promise<Picture | undefined>;

/** Makes input embeddings of pictures. Models without one read no images. */
export interface ImageReader {
  /** Positions that every picture takes. */
  readonly tokens: number;
  readonly grid: TileGrid;
  decode: DecodePicture;
  /** Input embeddings of what stands in the square, `[tokens, width]`. */
  embed(picture: Picture, square: Square): Promise<Float32Array>;
  release(): Promise<void>;
}

/**
 * Puts decoder, processor and encoder of pictures together.
 *
 * @param width  of the network that reads the embeddings
 * @throws {FailureError} MODEL_UNAVAILABLE when the encoder makes embeddings of another width
 */
export function createImageReader(
  decode: DecodePicture,
  processor: ImageProcessor,
  encoder: VisionEncoder,
  width: number,
): ImageReader {
  if (encoder.width !== width)
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `vision_encoder: expected embeddings ${width} wide, as the decoder takes them, got ${encoder.width}`,
    );
  const { side, filter } = processor;
  return {
    tokens: encoder.tokens,
    grid: gridOf(encoder.tokens),
    decode,
    embed: (picture, square) => {
      const pixels = resampled(picture.pixels(square), { size: square.size, side, filter });
      return encoder.encode(normalisedPixels(pixels, processor));
    },
    release: () => encoder.release(),
  };
}
