import type { PixelScaling, ResampleFilter } from '../../kernels/images/resample.ts';
import { refuse } from '../refusal.ts';

/** How a picture becomes what the image encoder takes. */
export interface ImageProcessor extends PixelScaling {
  /** Width and height in pixels. */
  readonly side: number;
  readonly filter: ResampleFilter;
}

/** Pillow's numbers of its filters. @source Pillow, Image.Resampling */
const FILTERS: readonly ResampleFilter[] = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'];

/**
 * Reads `preprocessor_config.json`. The square that a prompt names is resized to the encoder's size as a whole: a margin
 * that a processor would cut off (`size` above `crop_size`) is kept, so that tiles cover the square evenly.
 *
 * @param config  `config.json`, which gives the size where the processor does not
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
    filter: (typeof resample === 'number' ? FILTERS[resample] : undefined) ?? refuse(unknown('resample', resample)),
    scale: rescales && typeof factor === 'number' ? factor : 1,
    mean: normalises ? channels(entries, 'image_mean') : [0, 0, 0],
    deviation: normalises ? channels(entries, 'image_std') : [1, 1, 1],
  };
}

type Entries = Readonly<Record<string, unknown>>;

/**
 * SmolVLM cuts a picture of up to `size` into tiles of `max_image_size`, and shows it whole in a tile of that size as well: the
 * picture is shown as this one. @source transformers, image_processing_smolvlm.py
 */
function tileSide(entries: Entries): number | undefined {
  return numberIn(recordIn(entries, 'max_image_size'), 'longest_edge');
}

/** The crop is what the encoder sees; a size is a number, a shortest edge, or height and width, which must agree. */
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
  return numbers.length === 3 ? numbers : refuse(unknown(name, values));
}

function unknown(name: string, value: unknown): string {
  return `preprocessor_config.json: ${name} is not known: ${JSON.stringify(value) ?? 'nothing'}`;
}

function numberIn(entries: Entries, name: string): number | undefined {
  const value = entries[name];
  return typeof value === 'number' ? value : undefined;
}

function recordIn(entries: Entries, name: string): Entries {
  const value = entries[name];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
