import { seededRandom } from '../../kernels/seeded-random.ts';
import { type Rows, dot, rowAt } from '../rows.ts';
import type { Turns } from '../pause.ts';

/** Groups of rows: the group of each row, and how many there are. */
export interface Grouping {
  /** `[rows]`, 0 to `count` − 1. */
  readonly labels: Int32Array;
  readonly count: number;
}

/** Groups that are tried where their number is not given: few texts form few groups. */
const COUNTS = [2, 3, 4, 5, 6, 7, 8, 10, 12];
/** Rows that numbers of groups are compared on: more do not change which is best. */
const SAMPLE = 2000;
const ROUNDS = 25;
const SEED = 3;

/**
 * Groups of rows of length 1 around centres, by spherical k-means with k-means++ beginnings. Deterministic.
 *
 * @param count  null: the number of those tried whose groups lie furthest apart for how wide they are
 * @source       Dhillon and Modha 2001; Arthur and Vassilvitskii 2007; the simplified silhouette of Hruschka et al. 2004
 */
export async function groupsOf(rows: Rows, count: number | null, turns: Turns): Promise<Grouping> {
  const wanted = count ?? (await bestCount(sampleOf(rows), turns));
  return kMeans(rows, Math.min(wanted, rows.count), turns);
}

async function bestCount(sample: Rows, turns: Turns): Promise<number> {
  let [best, chosen] = [-Infinity, 1];
  for (const count of COUNTS.filter((each) => each <= Math.max(2, Math.sqrt(sample.count / 2)))) {
    const value = silhouette(sample, await kMeans(sample, count, turns));
    if (value > best) [best, chosen] = [value, count];
  }
  return chosen;
}

function sampleOf(rows: Rows): Rows {
  if (rows.count <= SAMPLE) return rows;
  const [values, step] = [new Float32Array(SAMPLE * rows.width), rows.count / SAMPLE];
  for (let at = 0; at < SAMPLE; at++) values.set(rowAt(rows, Math.floor(at * step)), at * rows.width);
  return { values, count: SAMPLE, width: rows.width };
}

async function kMeans(rows: Rows, count: number, turns: Turns): Promise<Grouping> {
  const labels = new Int32Array(rows.count);
  if (count <= 1) return { labels, count };
  let centres = firstCentres(rows, count);
  for (let round = 0; round < ROUNDS; round++) {
    let moved = 0;
    for (let row = 0; row < rows.count; row++) {
      const label = nearest(centres, rowAt(rows, row));
      if (label !== labels[row]) moved++;
      labels[row] = label;
      if (row % 512 === 0) await turns.pause();
    }
    if (round > 0 && moved === 0) break;
    centres = centresOf(rows, { labels, count }, centres);
  }
  return { labels, count };
}

/** Rows drawn one after the other, those far from all drawn ones more likely. */
function firstCentres(rows: Rows, count: number): Float32Array[] {
  const random = seededRandom(SEED);
  const centres = [rowAt(rows, Math.floor(random() * rows.count)).slice()];
  const far = new Float64Array(rows.count).fill(Infinity);
  while (centres.length < count) {
    const newest = centres[centres.length - 1] ?? new Float32Array(rows.width);
    let sum = 0;
    for (let row = 0; row < rows.count; row++) {
      far[row] = Math.min(far[row] ?? 0, Math.max(0, 1 - dot(rowAt(rows, row), newest)));
      sum += far[row] ?? 0;
    }
    let left = random() * sum;
    const drawn = far.findIndex((distance) => (left -= distance) < 0);
    centres.push(rowAt(rows, Math.max(0, drawn)).slice());
  }
  return centres;
}

/** Means of the groups, of length 1; an empty group keeps its centre. */
function centresOf(rows: Rows, { labels, count }: Grouping, before: readonly Float32Array[]): Float32Array[] {
  const sums = Array.from({ length: count }, () => new Float32Array(rows.width));
  for (const [row, label] of labels.entries()) {
    const [sum, values] = [sums[label], rowAt(rows, row)];
    if (sum) for (let at = 0; at < rows.width; at++) sum[at] = (sum[at] ?? 0) + (values[at] ?? 0);
  }
  return sums.map((sum, label) => {
    const length = Math.sqrt(dot(sum, sum));
    return length === 0 ? (before[label] ?? sum) : sum.map((value) => value / length);
  });
}

function nearest(centres: readonly Float32Array[], row: Float32Array): number {
  let [best, chosen] = [-Infinity, 0];
  for (const [label, centre] of centres.entries()) {
    const cosine = dot(centre, row);
    if (cosine > best) [best, chosen] = [cosine, label];
  }
  return chosen;
}

/** Mean over rows of how much nearer the own centre is than the next one, −1 to 1. */
function silhouette(rows: Rows, grouping: Grouping): number {
  const centres = centresOf(rows, grouping, []);
  let sum = 0;
  for (const [row, label] of grouping.labels.entries()) {
    const distances = centres.map((centre) => 1 - dot(centre, rowAt(rows, row)));
    const own = distances[label] ?? 0;
    const other = Math.min(...distances.filter((_, each) => each !== label));
    sum += (other - own) / Math.max(own, other, Number.EPSILON);
  }
  return sum / Math.max(1, rows.count);
}
