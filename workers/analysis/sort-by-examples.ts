import type { AnalysisTasks } from '../../src/protocol/analysis-tasks.ts';
import { shuffled } from '../kernels/seeded-random.ts';
import { rowAt, type Rows } from './rows.ts';
import { minimise } from './minimise.ts';

type Example = AnalysisTasks['classify']['input']['examples'][number];

/** Weight of the examples relative to the penalty on weights; measured in docs/decisions/search.md. */
const STRENGTH = 16;
const STOP = { steps: 100, tolerance: 1e-5 };
/** With more examples than this, leaving out each alone takes long and measures no better. */
const MAX_LEFT_OUT_SINGLY = 60;
const FOLDS = 10;

/**
 * Gives each row its most probable label, and measures how often that is right by cross-validation: the examples are split
 * into folds, and each fold is sorted by the others. So an example too gets a label from examples other than itself. Repeats
 * of a text are in one fold and count once.
 *
 * @param wordings  `[rows]`; rows with equal ones are repeats
 * @param labels    number of labels; each has an example
 */
export async function sortByExamples(
  rows: Rows,
  wordings: readonly string[],
  { examples, labels }: AnalysisTasks['classify']['input'],
  pause: () => Promise<void>,
): Promise<AnalysisTasks['classify']['output']> {
  const every = Array.from({ length: rows.count }, (_, index) => index);
  const sorted = sortedBy(rows, examples, labels, every);
  const groups = groupsOf(examples, wordings);
  const counts = Array.from(
    { length: labels },
    (_, label) => groups.filter(([first]) => first?.label === label).length,
  );
  const total = groups.length;
  if (labels < 2 || Math.min(...counts) < 2) return { ...sorted, measured: null };
  const folds = total <= MAX_LEFT_OUT_SINGLY ? total : FOLDS;
  const order = shuffled(groups).sort(([a], [b]) => (a?.label ?? 0) - (b?.label ?? 0)); // so that each fold has all labels
  let right = 0;
  for (let fold = 0; fold < folds; fold++) {
    const test = order.filter((_, at) => at % folds === fold);
    const tested = test.flat();
    const train = order.filter((_, at) => at % folds !== fold).flat();
    const found = sortedBy(rows, train, labels, indicesOf(tested));
    for (const [at, { index }] of tested.entries()) {
      sorted.labels[index] = found.labels[at] ?? 0;
      sorted.probabilities[index] = found.probabilities[at] ?? 0;
    }
    right += test.filter(([first]) => first && sorted.labels[first.index] === first.label).length;
    await pause();
  }
  const measured = { accuracy: right / total, folds, mostFrequent: Math.max(...counts) / total, examples: total };
  return { ...sorted, measured };
}

/** The examples, those with equal wordings together; none is empty. */
function groupsOf(examples: readonly Example[], wordings: readonly string[]): Example[][] {
  const groups = new Map<string | undefined, Example[]>();
  for (const example of examples) {
    const wording = wordings[example.index];
    groups.set(wording, [...(groups.get(wording) ?? []), example]);
  }
  return [...groups.values()];
}

/** The most probable label, and its probability, of the rows at `indices`. */
function sortedBy(rows: Rows, examples: readonly Example[], labels: number, indices: readonly number[]) {
  const classifier = fitLogistic(
    featuresAt(rows, indicesOf(examples)),
    Int32Array.from(examples, ({ label }) => label),
    labels,
    { ...STOP, strength: STRENGTH },
  );
  return bestOf(probabilitiesOf(featuresAt(rows, indices), classifier), labels);
}

function indicesOf(examples: readonly Example[]): number[] {
  return examples.map(({ index }) => index);
}

function featuresAt(rows: Rows, indices: readonly number[]): Features {
  return featuresOf(
    indices.map((index) => [...rowAt(rows, index)].map((value, column) => [column, value] as const)),
    rows.width,
  );
}

/** The label with the highest number in each row of `[rows, count]`, and that number. */
function bestOf(all: Float64Array, count: number) {
  const rows = all.length / count;
  const [labels, probabilities] = [new Int32Array(rows), new Float32Array(rows)];
  for (let row = 0; row < rows; row++) {
    const numbers = all.subarray(row * count, (row + 1) * count);
    probabilities[row] = Math.max(...numbers);
    labels[row] = numbers.indexOf(Math.max(...numbers));
  }
  return { labels, probabilities };
}

/** A sparse matrix: the numbers other than 0, row by row. */
export interface Features {
  readonly rows: number;
  readonly columns: number;
  /** Start of each row in `places` and `values`, `[rows + 1]`. */
  readonly starts: Int32Array;
  /** Columns of the numbers that are not 0. */
  readonly places: Int32Array;
  readonly values: Float32Array;
}

/** Columns and their numbers. */
export type SparseRow = readonly (readonly [column: number, value: number])[];

/** The matrix of these rows. */
export function featuresOf(rows: readonly SparseRow[], columns: number): Features {
  const starts = new Int32Array(rows.length + 1);
  rows.forEach((row, index) => (starts[index + 1] = (starts[index] ?? 0) + row.length));
  const [places, values] = [new Int32Array(starts.at(-1) ?? 0), new Float32Array(starts.at(-1) ?? 0)];
  for (const [index, row] of rows.entries())
    for (const [offset, [column, value]] of row.entries()) {
      places[(starts[index] ?? 0) + offset] = column;
      values[(starts[index] ?? 0) + offset] = value;
    }
  return { rows: rows.length, columns, starts, places, values };
}

/** The numbers of a vector other than 0. */
export function sparseRow(vector: readonly number[]): SparseRow {
  return vector.flatMap((value, column) => (value === 0 ? [] : [[column, value] as const]));
}

/** The rows at these indices, in this order. */
export function rowsAt({ starts, places, values, columns }: Features, indices: readonly number[]): Features {
  const rowStarts = new Int32Array(indices.length + 1);
  const spans = indices.map((index) => [starts[index] ?? 0, starts[index + 1] ?? 0] as const);
  spans.forEach(([from, to], row) => (rowStarts[row + 1] = (rowStarts[row] ?? 0) + to - from));
  const total = rowStarts.at(-1) ?? 0;
  const [rowPlaces, rowValues] = [new Int32Array(total), new Float32Array(total)];
  for (const [row, [from, to]] of spans.entries()) {
    rowPlaces.set(places.subarray(from, to), rowStarts[row]);
    rowValues.set(values.subarray(from, to), rowStarts[row]);
  }
  return { rows: indices.length, columns, starts: rowStarts, places: rowPlaces, values: rowValues };
}

/** The transpose. */
export function transposed({ rows, columns, starts, places, values }: Features): Features {
  const turned: [number, number][][] = Array.from({ length: columns }, () => []);
  for (let row = 0; row < rows; row++)
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++)
      turned[places[at] ?? 0]?.push([row, values[at] ?? NaN]);
  return featuresOf(turned, rows);
}

/** `sums[rows, width] += features × weights[columns, width]`, four rows at a time: a fit spends most time here. */
export function addProduct(
  { rows, starts, places, values }: Features,
  weights: Float64Array,
  sums: Float64Array,
  width: number,
): void {
  for (let row = 0; row < rows; row++) {
    const [from, to, base] = [starts[row] ?? 0, starts[row + 1] ?? 0, row * width];
    for (let at = from; at < to; at += 4) {
      // After the end of the row: a value of 0, times any row of weights.
      const [v0, p0] = [values[at] ?? 0, (places[at] ?? 0) * width];
      const [v1, p1] = at + 1 < to ? [values[at + 1] ?? 0, (places[at + 1] ?? 0) * width] : [0, p0];
      const [v2, p2] = at + 2 < to ? [values[at + 2] ?? 0, (places[at + 2] ?? 0) * width] : [0, p0];
      const [v3, p3] = at + 3 < to ? [values[at + 3] ?? 0, (places[at + 3] ?? 0) * width] : [0, p0];
      for (let k = 0; k < width; k++)
        sums[base + k] =
          (sums[base + k] ?? 0) +
          v0 * (weights[p0 + k] ?? 0) +
          v1 * (weights[p1 + k] ?? 0) +
          v2 * (weights[p2 + k] ?? 0) +
          v3 * (weights[p3 + k] ?? 0);
    }
  }
}

/** A fitted classifier: `weights` float64 `[columns + 1, labels]`, the last row the bias. */
export interface Classifier {
  readonly weights: Float64Array;
  readonly labels: number;
}

/** Rows per block: their scores stay in the processor's cache. */
const BLOCK = 256;

/**
 * Fits multinomial logistic regression: minimises `strength` × the sum of cross entropies + half the sum of squared
 * weights, without the bias.
 *
 * @param labels  of each row, 0 to `count` − 1
 * @param begin   initial weights; default: all 0
 * @source        Hastie, Tibshirani and Friedman 2009, 4.4; scikit-learn's objective
 */
export function fitLogistic(
  features: Features,
  labels: Int32Array,
  count: number,
  {
    strength,
    begin,
    ...stop
  }: Parameters<typeof minimise>[2] & { readonly strength: number; readonly begin?: Classifier },
): Classifier {
  const blocks = blocksOf(features, labels);
  const biasAt = features.columns * count;
  const objective = (weights: Float64Array, slope: Float64Array): number => {
    slope.fill(0);
    let loss = 0;
    for (const block of blocks) loss += addBlock(block, weights, slope, count);
    for (let at = 0; at < slope.length; at++) slope[at] = strength * (slope[at] ?? 0);
    let squares = 0;
    for (let at = 0; at < biasAt; at++) {
      const weight = weights[at] ?? 0;
      squares += weight * weight;
      slope[at] = (slope[at] ?? 0) + weight;
    }
    return strength * loss + squares / 2;
  };
  const start = begin?.weights ?? new Float64Array(biasAt + count);
  return { weights: minimise(objective, start, stop), labels: count };
}

/** Probability of each label, `[rows, labels]`. */
function probabilitiesOf(features: Features, { weights, labels }: Classifier): Float64Array {
  const scores = scoresOf(features, weights, labels);
  for (let row = 0; row < features.rows; row++) intoProbabilities(scores.subarray(row * labels, (row + 1) * labels));
  return scores;
}

/** Most probable label of each row, the first of equally probable ones. */
export function classify(features: Features, { weights, labels }: Classifier): Int32Array {
  return bestOf(scoresOf(features, weights, labels), labels).labels;
}

/** Share of rows that are classified correctly. */
export function accuracyOf(features: Features, labels: Int32Array, classifier: Classifier): number {
  return classify(features, classifier).filter((label, row) => label === labels[row]).length / labels.length;
}

function blocksOf(features: Features, labels: Int32Array) {
  return Array.from({ length: Math.ceil(features.rows / BLOCK) }, (_, number) => {
    const [from, to] = [number * BLOCK, Math.min((number + 1) * BLOCK, features.rows)];
    const part = rowsAt(
      features,
      Array.from({ length: to - from }, (_, index) => from + index),
    );
    return { features: part, turned: transposed(part), labels: labels.subarray(from, to) };
  });
}

/** Adds the gradient of a block's rows to `slope`; returns the sum of their cross entropies, in nats. */
function addBlock(
  { features, turned, labels }: ReturnType<typeof blocksOf>[number],
  weights: Float64Array,
  slope: Float64Array,
  count: number,
): number {
  const scores = scoresOf(features, weights, count);
  let loss = 0;
  for (const [row, label] of labels.entries()) {
    const rowScores = scores.subarray(row * count, (row + 1) * count);
    const before = rowScores[label] ?? NaN;
    loss += intoProbabilities(rowScores) - before;
    rowScores[label] = (rowScores[label] ?? NaN) - 1;
  }
  addProduct(turned, scores, slope, count);
  const bias = slope.subarray(features.columns * count);
  for (let at = 0; at < scores.length; at++) bias[at % count] = (bias[at % count] ?? 0) + (scores[at] ?? 0);
  return loss;
}

/** `[rows, labels]`. */
function scoresOf(features: Features, weights: Float64Array, count: number): Float64Array {
  const scores = new Float64Array(features.rows * count);
  const bias = weights.subarray(features.columns * count);
  for (let row = 0; row < features.rows; row++) scores.set(bias, row * count);
  addProduct(features, weights, scores, count);
  return scores;
}

/** Softmax in place; returns the logarithm of the sum of the exponentials. */
function intoProbabilities(scores: Float64Array): number {
  let highest = -Infinity;
  for (const score of scores) if (score > highest) highest = score;
  let sum = 0;
  for (let at = 0; at < scores.length; at++) {
    const power = Math.exp((scores[at] ?? NaN) - highest);
    scores[at] = power;
    sum += power;
  }
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? NaN) / sum;
  return highest + Math.log(sum);
}
