/** Guards the division by a zero norm. @source contract facts §2.2 */
const EPSILON = 1e-8;

/**
 * Cosine similarity between rows of a matrix.
 *
 * @param rows   float32, row-major `[rows, width]`
 * @returns      a function of two row indices, −1 … 1; a row of zeros is similar to nothing (0)
 * @throws       {RangeError} when `rows` is no whole number of rows
 */
export function cosineOf(rows: Float32Array, width: number): (i: number, j: number) => number {
  if (rows.length % width !== 0) throw new RangeError(`expected rows of width ${width}, got ${rows.length} numbers`);
  const norms = Float64Array.from({ length: rows.length / width }, (_, i) => Math.sqrt(dot(rows, i, i, width)));
  return (i, j) => {
    const product = Math.max((norms[i] ?? 0) * (norms[j] ?? 0), EPSILON);
    return Math.min(1, Math.max(-1, dot(rows, i, j, width) / product));
  };
}

function dot(rows: Float32Array, i: number, j: number, width: number): number {
  let sum = 0;
  for (let k = 0; k < width; k++) sum += (rows[i * width + k] ?? 0) * (rows[j * width + k] ?? 0);
  return sum;
}
