/** Ways to compute a pixel from those around it. */
export type ResampleFilter = 'nearest' | 'lanczos' | 'bilinear' | 'bicubic' | 'box' | 'hamming';

/** A filter's weight at a distance, in pixels of the coarser picture, and how far it reaches. */
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
  { size, side, filter }: { readonly size: number; readonly side: number; readonly filter: ResampleFilter },
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

/** The pixels that one new pixel is made of, and their weights, which add up to 1. */
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

/** Where a line of pixels begins in its array, and how far one pixel is from the next. */
interface Line {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly next: number;
}

/** One line of pixels, three channels. Halves are rounded up; a clamped array by itself would round them to even. */
function combine(
  pixels: Uint8ClampedArray,
  result: Uint8ClampedArray,
  taps: readonly Taps[],
  { from, to, step, next }: Line,
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

/**
 * Pixels as a network takes them: `(value × scale − mean) / deviation`, channel by channel.
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

/** See `normalisedPixels`; `mean` and `deviation` by channel, red first. */
export interface PixelScaling {
  readonly scale: number;
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}
