import {
  normalisedPixels,
  type PixelScaling,
  resampled,
  type ResampleFilter,
  withoutColourMetadata,
} from '../../kernels/image-pixels.ts';
import { gridOf, type TileGrid } from '../../kernels/image-tiles.ts';
import type { ImageFormat, Square } from '../../../src/protocol/model-job.ts';
import { type Network, refuse } from '../network.ts';
import type { GraphFiles, Ort, SessionDevice } from '../session/session.ts';
import { openVisionEncoder } from './vision-encoder.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import { releaseOnError } from '../device/guard.ts';
import { openGpu } from '../session/gpu-device.ts';

/** A decoded picture. */
export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  /** Pixels of a square, `[size, size, 4]`; transparent pixels are drawn on white. */
  pixels(square: Square): Uint8ClampedArray;
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
  encoder: Awaited<ReturnType<typeof openVisionEncoder>>,
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
    refuse(`preprocessor_config.json: ${name} is not a square: ${JSON.stringify(size)}`);
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

/**
 * Opens the image encoder on the network's own device with the first picture, so that texts need not wait for it. Its file
 * is fetched at once, after the files that texts need, so that pictures work offline later, and kept until it is open. After a
 * failure the next picture tries again.
 *
 * @returns `open` throws a `FailureError`, MODEL_UNAVAILABLE
 */
export function imagesOnDemand(
  { ort, decode = decodePicture }: { readonly ort: Ort; readonly decode?: DecodePicture },
  { encoder: fetchEncoder, processor }: VisionFiles,
  network: Network,
): { readonly open: () => Promise<ImageReader>; release(): Promise<void> } {
  let ahead: Promise<GraphFiles> | undefined = fetchEncoder();
  ahead.catch(() => undefined); // the first picture tries again, and reports the error
  let opened: ImageReader | undefined;
  const open = async () => {
    const files = await (ahead?.catch(fetchEncoder) ?? fetchEncoder()); // the fetch ahead of time may have failed while offline
    ahead = undefined;
    const gpu = network.backend.kind === 'webgpu' ? await openGpu() : undefined;
    const on: SessionDevice = gpu ? { kind: 'webgpu', device: gpu.device } : { kind: 'wasm' };
    const encoder = await openVisionEncoder({ ort, files, side: processor.side, on });
    if (encoder.refusal !== undefined) console.warn(`pictures are encoded on WASM: ${encoder.refusal}`);
    const create = async () => createImageReader(decode, processor, encoder, network.shape.width);
    opened = await releaseOnError(encoder.release, create);
    return opened;
  };
  return { open: once(open), release: async () => opened?.release() };
}

/** Makes a value once; after a failure the next call tries again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
