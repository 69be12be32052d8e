import { addProduct, rowsAt, transposed, type Features } from './features.ts';
import { minimise, type Stop } from './minimise.ts';

/** A fitted classifier: `weights` float64 `[columns + 1, labels]`, the last row the bias. */
export interface Classifier {
  readonly weights: Float64Array;
  readonly labels: number;
}

/** Rows that are computed at once: their scores stay in the processor's cache. */
const BLOCK = 256;

interface Block {
  readonly features: Features;
  readonly turned: Features;
  readonly labels: Int32Array;
}

/**
 * Fits multinomial logistic regression: minimises `strength` × the sum of cross entropies + half the sum of squared
 * weights, the bias free. All rows in each step.
 *
 * @param labels  of each row, 0 to `count` − 1
 * @param begin   where to begin; all 0 when left out
 * @source        Hastie, Tibshirani and Friedman 2009, 4.4; scikit-learn's objective
 */
export function fitLogistic(
  features: Features,
  labels: Int32Array,
  count: number,
  { strength, begin, ...stop }: Stop & { readonly strength: number; readonly begin?: Classifier },
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

/** How probable each label is, `[rows, labels]`; each row sums to 1. */
export function probabilitiesOf(features: Features, { weights, labels }: Classifier): Float64Array {
  const scores = scoresOf(features, weights, labels);
  for (let row = 0; row < features.rows; row++) intoProbabilities(scores.subarray(row * labels, (row + 1) * labels));
  return scores;
}

/** Most probable label of each row; of equally probable ones the first. */
export function classify(features: Features, { weights, labels }: Classifier): Int32Array {
  const scores = scoresOf(features, weights, labels);
  return Int32Array.from({ length: features.rows }, (_, row) => {
    const own = scores.subarray(row * labels, (row + 1) * labels);
    return own.indexOf(Math.max(...own));
  });
}

/** Share of rows that get their own label. */
export function accuracyOf(features: Features, labels: Int32Array, classifier: Classifier): number {
  return classify(features, classifier).filter((label, row) => label === labels[row]).length / labels.length;
}

function blocksOf(features: Features, labels: Int32Array): Block[] {
  return Array.from({ length: Math.ceil(features.rows / BLOCK) }, (_, number) => {
    const [from, to] = [number * BLOCK, Math.min((number + 1) * BLOCK, features.rows)];
    const part = rowsAt(
      features,
      Array.from({ length: to - from }, (_, index) => from + index),
    );
    return { features: part, turned: transposed(part), labels: labels.subarray(from, to) };
  });
}

/** Adds what a block's rows say about the slope; returns the sum of their cross entropies, in nats. */
function addBlock({ features, turned, labels }: Block, weights: Float64Array, slope: Float64Array, count: number) {
  const scores = scoresOf(features, weights, count);
  let loss = 0;
  for (const [row, label] of labels.entries()) {
    const own = scores.subarray(row * count, (row + 1) * count);
    const before = own[label] ?? NaN;
    loss += intoProbabilities(own) - before;
    own[label] = (own[label] ?? NaN) - 1;
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

/** Turns scores into the probabilities that they stand for; returns the logarithm of the sum of their exponentials. */
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
