import { gridOf, type TileGrid } from '../../kernels/image-tiles.ts';
import { normalisedPixels, type PixelScaling, resampled, type ResampleFilter } from '../../kernels/image-pixels.ts';
import type { ImageFormat, Square } from '../../../src/protocol/model-job.ts';
import { refuse } from '../refusal.ts';
import type { GraphFiles } from '../session/session.ts';
import type { VisionEncoder } from './vision-encoder.ts';

/** A decoded picture. */
export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  /** Pixels of a square, `[size, size, 4]`; transparent pixels are drawn on white. */
  pixels(square: Square): Uint8ClampedArray;
  /** Frees its memory. */
  close(): void;
}

/** Decodes a file; undefined when it is broken. The platform's decoder, which tests replace. */
export type DecodePicture = (
  bytes: Uint8Array<ArrayBuffer>,
  format: ImageFormat,
) => Promise<DecodedPicture | undefined>;

/** Makes input embeddings of pictures. */
export interface ImageReader {
  /** Positions of every picture. */
  readonly tokens: number;
  readonly grid: TileGrid;
  decode: DecodePicture;
  /** Input embeddings of a square of the picture, `[tokens, width]`. */
  embed(picture: DecodedPicture, square: Square): Promise<Float32Array>;
  release(): Promise<void>;
}

/**
 * Joins decoder, processor and encoder of pictures.
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
    refuse(`vision_encoder: expected embeddings ${width} wide, as the decoder takes them, got ${encoder.width}`);
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

/** How a picture is resized and scaled for the image encoder. */
interface ImageProcessor extends PixelScaling {
  /** Width and height in pixels. */
  readonly side: number;
  readonly filter: ResampleFilter;
}

/** Files of a vision-language model besides its decoder. */
export interface VisionFiles {
  /** Downloads the image encoder. @throws {FailureError} MODEL_UNAVAILABLE naming the URL */
  readonly encoder: () => Promise<GraphFiles>;
  readonly processor: ImageProcessor;
}

/** By Pillow's numbers. @source Pillow, Image.Resampling */
const FILTERS: readonly ResampleFilter[] = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'];

type Entries = Readonly<Record<string, unknown>>;

/**
 * Reads `preprocessor_config.json`. A prompt's square is resized to the encoder's size as a whole: a margin that a processor
 * would cut off (`size` above `crop_size`) stays, so that tiles cover the square evenly.
 *
 * @param config  `config.json`, which has the size where the processor does not
 * @throws {FailureError} MODEL_UNAVAILABLE naming the entry
 * @source transformers, image_processing_*.py: rescale, then normalise; bicubic where no filter is named
 */
export function readImageProcessor(preprocessor: object, config: object): ImageProcessor {
  const entries: Entries = { ...preprocessor };
  const vision = recordIn({ ...config }, 'vision_config');
  const { resample = 3, rescale_factor: factor = 1 / 255, do_rescale: rescales = true } = entries;
  const normalises = entries['do_normalize'] !== false;
  return {
    side:
      tileSide(entries) ??
      sideOf(entries) ??
      numberIn(vision, 'image_size') ??
      refuse('preprocessor_config.json names no size'),
    filter: (typeof resample === 'number' ? FILTERS[resample] : undefined) ?? refuseEntry('resample', resample),
    scale: rescales && typeof factor === 'number' ? factor : 1,
    mean: normalises ? channels(entries, 'image_mean') : [0, 0, 0],
    deviation: normalises ? channels(entries, 'image_std') : [1, 1, 1],
  };
}

/**
 * SmolVLM cuts a picture of up to `size` into tiles of `max_image_size`, and adds the whole picture in a tile of that size: here it
 * is only that one. @source transformers, image_processing_smolvlm.py
 */
function tileSide(entries: Entries): number | undefined {
  return numberIn(recordIn(entries, 'max_image_size'), 'longest_edge');
}

/** The encoder sees the crop; a size is a number, a shortest edge, or height and width, which must agree. */
function sideOf(entries: Entries): number | undefined {
  const name = entries['do_center_crop'] === true && entries['crop_size'] !== undefined ? 'crop_size' : 'size';
  const size = entries[name];
  if (typeof size === 'number') return size;
  const parts = recordIn(entries, name);
  const height = numberIn(parts, 'height');
  if (height !== numberIn(parts, 'width'))
    refuse(`preprocessor_config.json: ${name} is no square: ${JSON.stringify(size)}`);
  return height ?? numberIn(parts, 'shortest_edge') ?? numberIn(parts, 'longest_edge');
}

function channels(entries: Entries, name: string): number[] {
  const values: unknown = entries[name];
  const numbers = Array.isArray(values) ? values.filter((value) => typeof value === 'number') : [];
  return numbers.length === 3 ? numbers : refuseEntry(name, values);
}

function refuseEntry(name: string, value: unknown): never {
  return refuse(`preprocessor_config.json: ${name} is not known: ${JSON.stringify(value) ?? 'nothing'}`);
}

function numberIn(entries: Entries, name: string): number | undefined {
  const value = entries[name];
  return typeof value === 'number' ? value : undefined;
}

function recordIn(entries: Entries, name: string): Entries {
  const value = entries[name];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
