/** The arrays concatenated, in order; in float64 where one of them is. */
export function concatenated(arrays: readonly Float32Array[]): Float32Array;
export function concatenated(arrays: readonly Float64Array[]): Float64Array;
export function concatenated(arrays: readonly (Float32Array | Float64Array)[]): Float32Array | Float64Array;
export function concatenated(arrays: readonly (Float32Array | Float64Array)[]): Float32Array | Float64Array {
  const count = arrays.reduce((sum, array) => sum + array.length, 0);
  const isWide = arrays.some((array) => array instanceof Float64Array);
  const all = isWide ? new Float64Array(count) : new Float32Array(count);
  let position = 0;
  for (const array of arrays) {
    all.set(array, position);
    position += array.length;
  }
  return all;
}

/** Largest absolute difference; another length or a NaN counts as infinite. */
export function differenceOf(found: ArrayLike<number> | undefined, expected: ArrayLike<number>): number {
  if (found?.length !== expected.length) return Infinity;
  let largest = 0;
  for (let index = 0; index < expected.length; index++) {
    const difference = Math.abs((found[index] ?? NaN) - (expected[index] ?? NaN));
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
  }
  return largest;
}

/** Largest absolute value; 0 for none. */
export function magnitudeOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let index = 0; index < values.length; index++) largest = Math.max(largest, Math.abs(values[index] ?? 0));
  return largest;
}

/** Distance from expected numbers, and the limit. @param tolerance  as a share of 1 + the largest expected number */
export function compared(found: ArrayLike<number> | undefined, expected: ArrayLike<number>, tolerance: number) {
  const difference = differenceOf(found, expected);
  const limit = tolerance * (1 + magnitudeOf(expected));
  return { difference, limit, agrees: difference <= limit };
}

/** An array repeated `times` times. */
export function repeated<Values extends Float32Array | Int32Array>(values: Values, times: number): Values;
export function repeated(values: Float32Array | Int32Array, times: number): Float32Array | Int32Array {
  const all =
    values instanceof Int32Array ? new Int32Array(values.length * times) : new Float32Array(values.length * times);
  for (let index = 0; index < times; index++) all.set(values, index * values.length);
  return all;
}

/** Bytes in memory that is not shared, which the platform's decoders need; a copy where they are shared. */
export function unsharedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isUnshared(bytes) ? bytes : bytes.slice();
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
