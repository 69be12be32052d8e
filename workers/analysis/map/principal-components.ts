import type { Rows } from '../rows.ts';
import type { Turns } from '../pause.ts';

/** Rows seen along the directions in which they differ most. */
export interface Components {
  /** `[rows, 2]` */
  readonly points: Float32Array;
  /** Share of all variance that the two directions hold, 0 to 1. */
  readonly explained: number;
}

/** Multiplications by the covariance; far more than two directions of different strength need. */
const STEPS = 300;
/** A direction that turns by less than this has been found. */
const TURNED = 1e-9;

/**
 * The first two principal components. Deterministic, signs included: the greatest number of each direction is positive.
 *
 * @source Jolliffe 2002, chapter 2; directions by power iteration, the first taken out before the second is searched
 */
export async function principalComponents(rows: Rows, turns: Turns): Promise<Components> {
  const mean = meanOf(rows);
  const covariance = await covarianceOf(rows, mean, turns);
  const total = trace(covariance, rows.width);
  const first = strongest(covariance, rows.width);
  takeOut(covariance, first);
  const second = strongest(covariance, rows.width);
  const points = new Float32Array(rows.count * 2);
  for (let row = 0; row < rows.count; row++) {
    points[row * 2] = along(rows, row, mean, first.direction);
    points[row * 2 + 1] = along(rows, row, mean, second.direction);
  }
  return { points, explained: total > 0 ? (first.strength + second.strength) / total : 0 };
}

function meanOf({ values, count, width }: Rows): Float64Array {
  const mean = new Float64Array(width);
  for (let at = 0; at < count * width; at++) mean[at % width] = (mean[at % width] ?? 0) + (values[at] ?? 0);
  return mean.map((sum) => sum / Math.max(1, count));
}

/** `[width, width]`, without division by the number of rows: only shares and directions are asked for. */
async function covarianceOf(rows: Rows, mean: Float64Array, turns: Turns): Promise<Float64Array> {
  const { values, count, width } = rows;
  const covariance = new Float64Array(width * width);
  const centred = new Float64Array(width);
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < width; at++) centred[at] = (values[row * width + at] ?? 0) - (mean[at] ?? 0);
    for (let a = 0; a < width; a++) {
      const value = centred[a] ?? 0;
      for (let b = a, to = a * width + a; b < width; b++, to++)
        covariance[to] = (covariance[to] ?? 0) + value * (centred[b] ?? 0);
    }
    if (row % 64 === 0) await turns.pause();
  }
  for (let a = 0; a < width; a++)
    for (let b = 0; b < a; b++) covariance[a * width + b] = covariance[b * width + a] ?? 0;
  return covariance;
}

interface Direction {
  /** Of length 1. */
  readonly direction: Float64Array;
  /** Variance along it. */
  readonly strength: number;
}

function strongest(matrix: Float64Array, width: number): Direction {
  // Uneven, so that it is at a right angle to no direction that data has.
  let direction = normalized(Float64Array.from({ length: width }, (_, at) => 1 + Math.sin(at + 1)));
  let strength = 0;
  for (let step = 0; step < STEPS; step++) {
    const next = times(matrix, direction);
    strength = Math.hypot(...next);
    if (strength === 0) return { direction, strength };
    const turned = normalized(next);
    const cosine = turned.reduce((sum, value, at) => sum + value * (direction[at] ?? 0), 0);
    direction = turned;
    if (1 - cosine < TURNED) break;
  }
  const greatest = direction.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return { direction: greatest < 0 ? direction.map((value) => -value) : direction, strength };
}

function takeOut(matrix: Float64Array, { direction, strength }: Direction): void {
  const width = direction.length;
  for (let a = 0; a < width; a++)
    for (let b = 0; b < width; b++)
      matrix[a * width + b] = (matrix[a * width + b] ?? 0) - strength * (direction[a] ?? 0) * (direction[b] ?? 0);
}

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  const width = vector.length;
  return vector.map((_, a) => {
    let sum = 0;
    for (let b = 0; b < width; b++) sum += (matrix[a * width + b] ?? 0) * (vector[b] ?? 0);
    return sum;
  });
}

function normalized(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function along({ values, width }: Rows, row: number, mean: Float64Array, direction: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < width; at++) sum += ((values[row * width + at] ?? 0) - (mean[at] ?? 0)) * (direction[at] ?? 0);
  return sum;
}

function trace(matrix: Float64Array, width: number): number {
  let sum = 0;
  for (let at = 0; at < width; at++) sum += matrix[at * width + at] ?? 0;
  return sum;
}
