/** Rows of numbers of one width, one after the other. */
export interface Rows {
  readonly values: Float32Array;
  readonly count: number;
  readonly width: number;
}

/** A row of rows, without copying it. */
export function rowAt({ values, width }: Rows, index: number): Float32Array {
  return values.subarray(index * width, (index + 1) * width);
}

/** Inner product of two vectors of one width: their cosine where both have length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
