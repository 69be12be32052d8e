import { UMAP } from 'umap-js';
import { seededRandom } from '../kernels/seeded-random.ts';
import type { Neighbours } from './neighbours.ts';
import type { Rows } from './rows.ts';

/** Multiplications by the covariance; far more than needed to separate two directions. */
const STEPS = 300;
/** The iteration has converged when the direction changes by less than this. */
const TURNED = 1e-9;

/**
 * The first two principal components. Deterministic, including signs: the number of largest magnitude in each direction is
 * positive.
 *
 * @returns `points` `[rows, 2]`; `explained`, the share of the variance along the two directions, 0 to 1
 * @source Jolliffe 2002, chapter 2; power iteration with deflation
 */
export async function principalComponents(rows: Rows, pause: () => Promise<void>) {
  const mean = meanOf(rows);
  const covariance = await covarianceOf(rows, mean, pause);
  let total = 0;
  for (let at = 0; at < rows.width; at++) total += covariance[at * rows.width + at] ?? 0;
  const first = strongest(covariance, rows.width);
  deflate(covariance, first);
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

/** `[width, width]`, not divided by the number of rows: only ratios and directions are used. */
async function covarianceOf(rows: Rows, mean: Float64Array, pause: () => Promise<void>): Promise<Float64Array> {
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
    if (row % 64 === 0) await pause();
  }
  for (let a = 0; a < width; a++)
    for (let b = 0; b < a; b++) covariance[a * width + b] = covariance[b * width + a] ?? 0;
  return covariance;
}

interface Direction {
  /** Of length 1. */
  readonly direction: Float64Array;
  readonly strength: number;
}

function strongest(matrix: Float64Array, width: number): Direction {
  // Uneven, so that it is not orthogonal to a direction of the data.
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

function deflate(matrix: Float64Array, { direction, strength }: Direction): void {
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

/** Spread of the initial points, as in umap-learn. */
const BEGIN_SPREAD = 10;

const SEED = 7;

/**
 * Points on a plane in which neighbours stay near each other. Deterministic.
 *
 * @param begin  initial points, `[rows, 2]`: the layout resembles the map that they were taken from
 * @returns      `[rows, 2]`
 * @source       McInnes, Healy and Melville 2018, arXiv:1802.03426, by umap-js
 */
export async function umapOf(
  { neighbours, begin }: { readonly neighbours: Neighbours; readonly begin: Float32Array },
  pause: () => Promise<void>,
  onStep: (done: number, total: number, points: () => Float32Array) => void,
): Promise<Float32Array> {
  const rows = begin.length / 2;
  const umap = new UMAP({
    nComponents: 2,
    nNeighbors: neighbours.perRow + 1,
    minDist: 0.1,
    random: seededRandom(SEED),
  });
  const { indices, distances } = listsOf(neighbours, rows);
  umap.setPrecomputedKNN(indices, distances);
  await pause();
  const total = umap.initializeFit(indices); // only their number counts: the neighbours are precomputed
  const places = umap.getEmbedding();
  placeAt(places, begin);
  const points = () => Float32Array.from(places.flat());
  for (let step = 1; step <= total; step++) {
    umap.step();
    onStep(step, total, points);
    await pause();
  }
  return points();
}

/** Neighbours in the format of umap-js: first the row itself, at a distance of 0. */
function listsOf({ perRow, indices, cosines }: Neighbours, rows: number) {
  const lists = { indices: [] as number[][], distances: [] as number[][] };
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * perRow, (row + 1) * perRow];
    lists.indices.push([row, ...indices.subarray(from, to)]);
    lists.distances.push([0, ...cosines.subarray(from, to).map((cosine) => Math.max(0, 1 - cosine))]);
  }
  return lists;
}

/** Writes into the arrays that umap-js works on. */
function placeAt(places: number[][], begin: Float32Array): void {
  const widest = begin.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  for (const [row, place] of places.entries())
    for (const axis of [0, 1]) place[axis] = (BEGIN_SPREAD * (begin[row * 2 + axis] ?? 0)) / widest;
}
