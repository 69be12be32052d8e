/** Filters of Pillow's `Image.resize`. */
export type ResampleFilter = 'nearest' | 'lanczos' | 'bilinear' | 'bicubic' | 'box' | 'hamming';

/** A filter's weight at a distance, in pixels of the coarser picture, and its reach. */
interface Kernel {
  readonly reach: number;
  weight(distance: number): number;
}

const KERNELS: Readonly<Record<Exclude<ResampleFilter, 'nearest'>, Kernel>> = {
  box: { reach: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { reach: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: { reach: 1, weight: (x) => (Math.abs(x) < 1 ? sinc(x) * (0.54 + 0.46 * Math.cos(Math.PI * x)) : 0) },
  bicubic: { reach: 2, weight: (x) => cubic(Math.abs(x)) },
  lanczos: { reach: 3, weight: (x) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Keys' cubic with a = −0.5. */
function cubic(x: number): number {
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/**
 * A square picture in another size, as Pillow's `Image.resize` does it, which models were trained with: filters widen
 * when a picture becomes smaller, rows come first, and each pass rounds to whole numbers. Canvas scaling differs from
 * browser to browser.
 *
 * @param rgba  `[size, size, 4]`, 0 … 255; the fourth channel is ignored
 * @returns     `[side, side, 3]`, whole numbers 0 … 255
 * @source      Pillow, src/libImaging/Resample.c, precompute_coeffs and ImagingResampleHorizontal_8bpc
 */
export function resampled(
  rgba: Uint8ClampedArray,
  { size, side, filter }: { size: number; side: number; filter: ResampleFilter },
): Uint8ClampedArray {
  const taps = Array.from({ length: side }, (_, at) => tapsOf(at, size / side, size, filter));
  const narrow = new Uint8ClampedArray(size * side * 3);
  for (let row = 0; row < size; row++)
    combine(rgba, narrow, taps, { from: row * size * 4, to: row * side * 3, step: 4, next: 3 });
  const small = new Uint8ClampedArray(side * side * 3);
  const line = side * 3;
  for (let column = 0; column < side; column++)
    combine(narrow, small, taps, { from: column * 3, to: column * 3, step: line, next: line });
  return small;
}

/** The pixels that a new pixel is computed from, and their weights, which add up to 1. */
interface Taps {
  readonly first: number;
  readonly weights: Float64Array;
}

function tapsOf(at: number, scale: number, size: number, filter: ResampleFilter): Taps {
  const centre = (at + 0.5) * scale;
  if (filter === 'nearest') return { first: Math.floor(centre), weights: Float64Array.of(1) };
  const { reach, weight } = KERNELS[filter];
  const widening = Math.max(scale, 1);
  const first = Math.max(0, Math.trunc(centre - reach * widening + 0.5));
  const end = Math.min(size, Math.trunc(centre + reach * widening + 0.5));
  const weights = Float64Array.from({ length: end - first }, (_, i) => weight((first + i - centre + 0.5) / widening));
  const total = weights.reduce((sum, each) => sum + each, 0);
  return { first, weights: weights.map((each) => each / total) };
}

/**
 * One line of pixels, three channels: it begins at `from` and `to` in the two arrays, and `step` and `next` are the distances
 * of its pixels there. Halves are rounded up; a clamped array by itself would round them to even.
 */
function combine(
  pixels: Uint8ClampedArray,
  result: Uint8ClampedArray,
  taps: readonly Taps[],
  { from, to, step, next }: { from: number; to: number; step: number; next: number },
): void {
  taps.forEach(({ first, weights }, at) => {
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let i = 0; i < weights.length; i++)
        sum += (weights[i] ?? 0) * (pixels[from + (first + i) * step + channel] ?? 0);
      result[to + at * next + channel] = Math.floor(sum + 0.5);
    }
  });
}

/** Constants of `normalisedPixels`; `mean` and `deviation` by channel, red first. */
export interface PixelScaling {
  readonly scale: number;
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/**
 * Pixels as a network reads them: `(value × scale − mean) / deviation`, channel by channel.
 *
 * @param pixels  `[side, side, 3]`, 0 … 255
 * @returns       float32 `[3, side, side]`
 */
export function normalisedPixels(pixels: Uint8ClampedArray, { scale, mean, deviation }: PixelScaling): Float32Array {
  const count = pixels.length / 3;
  return Float32Array.from({ length: pixels.length }, (_, i) => {
    const channel = Math.floor(i / count);
    const value = (pixels[(i % count) * 3 + channel] ?? 0) * scale;
    return (value - (mean[channel] ?? 0)) / (deviation[channel] ?? 1);
  });
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const PNG_HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_METADATA = new Set(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP']);

const JPEG_HEAD = [0xff, 0xd8];
const JPEG_SCAN = 0xda;
const JPEG_PROFILE_MARKER = 0xe2;
const JPEG_PROFILE_NAME = 'ICC_PROFILE\0';

/**
 * A PNG or JPEG file without its colour metadata: gamma, primaries, profiles. WebKit converts colours by them even when it is
 * configured not to. Files of other formats stay unchanged.
 *
 * @returns  parts of the file, in order, as `Blob` takes them; the bytes are not copied
 * @edge     a truncated file is returned to its end, so that a decoder reports it
 * @source   PNG (W3C, 2025), sections 5.3 and 11.3.2; JPEG (ITU-T T.81), annex B; ICC.1:2022, annex B.4
 */
export function withoutColourMetadata(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const found = metadataIn(bytes);
  const starts = [0, ...found.map(({ end }) => end)];
  const ends = [...found.map(({ start }) => start), bytes.length];
  return starts.map((start, i) => bytes.subarray(start, ends[i]));
}

function metadataIn(bytes: Uint8Array): ByteRange[] {
  if (startsWith(bytes, PNG_HEAD)) return pngMetadata(bytes);
  return startsWith(bytes, JPEG_HEAD) ? jpegMetadata(bytes) : [];
}

/** A chunk is the length of its data, a name of four letters, the data, and a checksum. */
function pngMetadata(bytes: Uint8Array): ByteRange[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: ByteRange[] = [];
  for (let start = PNG_HEAD.length; start + 12 <= bytes.length;) {
    const end = start + 12 + view.getUint32(start);
    if (end > bytes.length) break;
    if (PNG_METADATA.has(textAt(bytes, start + 4, 4))) found.push({ start, end });
    start = end;
  }
  return found;
}

/** A segment is 0xff, a marker, a length that counts itself, and the data. */
function jpegMetadata(bytes: Uint8Array): ByteRange[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: ByteRange[] = [];
  for (let start = JPEG_HEAD.length; start + 4 <= bytes.length && bytes[start] === 0xff;) {
    const marker = bytes[start + 1];
    const end = start + 2 + view.getUint16(start + 2);
    if (marker === JPEG_SCAN || end > bytes.length) break;
    const isProfile = textAt(bytes, start + 4, JPEG_PROFILE_NAME.length) === JPEG_PROFILE_NAME;
    if (marker === JPEG_PROFILE_MARKER && isProfile) found.push({ start, end });
    start = end;
  }
  return found;
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, i) => bytes[i] === byte);
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}
