import { UMAP } from 'umap-js';
import type { Neighbours } from '../neighbours.ts';
import type { Turns } from '../pause.ts';
import { seededRandom } from '../../kernels/seeded-random.ts';

/** What a projection starts from. */
export interface UmapInput {
  readonly neighbours: Neighbours;
  /** Where the points begin, `[rows, 2]`: near ones then stay near where the map was before. */
  readonly begin: Float32Array;
}

/** What a projection says on its way. */
export interface UmapSteps {
  readonly turns: Turns;
  readonly onStep: (done: number, total: number, points: () => Float32Array) => void;
}

/** Rows fewer than this have no neighbourhoods to speak of. */
export const LEAST_ROWS = 5;

/** The spread of points at the start, as umap-learn has it for its own beginnings. */
const BEGIN_SPREAD = 10;

const SEED = 7;

/**
 * Places on a plane in which near rows are near, from rows whose neighbours are known. The same input gives the same places.
 *
 * @returns `[rows, 2]`
 * @source  McInnes, Healy and Melville 2018, arXiv:1802.03426, by umap-js
 */
export async function umapOf(input: UmapInput, { turns, onStep }: UmapSteps): Promise<Float32Array> {
  const { neighbours, begin } = input;
  const rows = begin.length / 2;
  const umap = new UMAP({ nComponents: 2, nNeighbors: neighbours.each + 1, minDist: 0.1, random: seededRandom(SEED) });
  const { indices, distances } = listsOf(neighbours, rows);
  umap.setPrecomputedKNN(indices, distances);
  await turns.pause();
  const total = umap.initializeFit(indices); // the vectors themselves are only counted: their neighbours are known
  const places = umap.getEmbedding();
  placeAt(places, begin);
  const points = () => Float32Array.from(places.flat());
  for (let step = 1; step <= total; step++) {
    umap.step();
    onStep(step, total, points);
    await turns.pause();
  }
  return points();
}

/** As umap-js keeps neighbours: each row's own place first, at a distance of 0. */
function listsOf({ each, indices, cosines }: Neighbours, rows: number) {
  const lists = { indices: [] as number[][], distances: [] as number[][] };
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * each, (row + 1) * each];
    lists.indices.push([row, ...indices.subarray(from, to)]);
    lists.distances.push([0, ...cosines.subarray(from, to).map((cosine) => Math.max(0, 1 - cosine))]);
  }
  return lists;
}

/** Writes into the places that umap-js works on. */
function placeAt(places: number[][], begin: Float32Array): void {
  const widest = begin.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  for (const [row, place] of places.entries())
    for (const axis of [0, 1]) place[axis] = (BEGIN_SPREAD * (begin[row * 2 + axis] ?? 0)) / widest;
}
