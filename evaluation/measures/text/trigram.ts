import { sortedKeys } from './sorted-keys.ts';

/** Contexts are grouped by how often they were seen: never, once, twice, up to 4, 8, … */
const BUCKETS = 12;
const ESTIMATES = 4;
const ROUNDS = 30;
/** Seen in front, so that every token and every group has a chance. */
const PRIOR = 0.1;

/** Tokens of a text, of which those from `first` on are predicted, each from the two before it. `first` is 2 or more. */
export interface TokenSequence {
  readonly ids: ArrayLike<number>;
  readonly first: number;
}

/** A 3-gram model. */
export interface Trigram {
  /** Natural logarithms of the probabilities of all predicted tokens, summed. */
  logProbability(sequence: TokenSequence): number;
}

/** What the counts say of each predicted token: four estimates in a row, `[tokens, 4]`, and the group of its context. */
interface Estimates {
  readonly values: Float64Array;
  readonly buckets: Uint8Array;
}

/**
 * Counts of a token stream. `tune` mixes uniform, 1-gram, 2-gram and 3-gram estimates by weights that depend on how often
 * the context was seen, and fits the weights to texts that neither gave the counts nor will be measured.
 *
 * @param seen        token ids
 * @param vocabulary  ids are below this; its cube is below 2⁵³
 * @source Jelinek and Mercer 1980, interpolated estimation; weights by expectation maximisation. As `trigram.py` of
 *   training/
 */
export function countTrigrams(seen: ArrayLike<number>, vocabulary: number) {
  const estimate = estimator(seen, vocabulary);
  return {
    tune(sequences: readonly TokenSequence[]): Trigram {
      const weights = fitted(sequences.map(estimate));
      return { logProbability: (sequence) => sumOfLogs(estimate(sequence), weights) };
    },
  };
}

function estimator(seen: ArrayLike<number>, vocabulary: number): (sequence: TokenSequence) => Estimates {
  const single = frequencies(seen, vocabulary);
  const pairs = sortedKeys(keysOf(seen, vocabulary, 2));
  const triples = sortedKeys(keysOf(seen, vocabulary, 3));
  return ({ ids, first }) => {
    const count = Math.max(0, ids.length - first);
    const values = new Float64Array(count * ESTIMATES);
    const buckets = new Uint8Array(count);
    for (let at = 0; at < count; at++) {
      const [a = 0, b = 0, c = 0] = [ids[first + at - 2], ids[first + at - 1], ids[first + at]];
      const [one, two] = [b * vocabulary, (a * vocabulary + b) * vocabulary];
      const [afterOne, afterTwo] = [
        pairs.countBetween(one, one + vocabulary),
        triples.countBetween(two, two + vocabulary),
      ];
      const second = pairs.countBetween(one + c, one + c + 1) / Math.max(1, afterOne);
      const third = triples.countBetween(two + c, two + c + 1) / Math.max(1, afterTwo);
      values.set([1 / vocabulary, single[c] ?? 0, second, third], at * ESTIMATES);
      buckets[at] = Math.min(Math.ceil(Math.log2(afterTwo + 1)), BUCKETS - 1);
    }
    return { values, buckets };
  };
}

function frequencies(seen: ArrayLike<number>, vocabulary: number): Float64Array {
  const counts = new Float64Array(vocabulary).fill(PRIOR);
  for (let at = 0; at < seen.length; at++) counts[seen[at] ?? 0] = (counts[seen[at] ?? 0] ?? 0) + 1;
  const total = seen.length + PRIOR * vocabulary;
  return counts.map((count) => count / total);
}

/** Neighbours as one number, the first of them in front: `[seen − length + 1]`. */
function keysOf(seen: ArrayLike<number>, vocabulary: number, length: number): Float64Array {
  const keys = new Float64Array(Math.max(0, seen.length - length + 1));
  for (let at = 0; at < keys.length; at++) {
    let key = 0;
    for (let next = at; next < at + length; next++) key = key * vocabulary + (seen[next] ?? 0);
    keys[at] = key;
  }
  return keys;
}

/** Weights of the estimates for each group of contexts, `[buckets, 4]`. */
function fitted(texts: readonly Estimates[]): Float64Array {
  let weights = new Float64Array(BUCKETS * ESTIMATES).fill(1 / ESTIMATES);
  for (let round = 0; round < ROUNDS; round++) {
    const shares = new Float64Array(weights.length).fill(PRIOR);
    for (const text of texts) addShares(text, weights, shares);
    weights = shares.map((share, at) => share / bucketSum(shares, at));
  }
  return weights;
}

function bucketSum(shares: Float64Array, at: number): number {
  const first = at - (at % ESTIMATES);
  return shares.subarray(first, first + ESTIMATES).reduce((sum, share) => sum + share, 0);
}

/** Adds, for each token, the share that each estimate has in its probability. */
function addShares(text: Estimates, weights: Float64Array, shares: Float64Array): void {
  for (let at = 0; at < text.buckets.length; at++) {
    const whole = mixture(text, weights, at);
    const bucket = (text.buckets[at] ?? 0) * ESTIMATES;
    for (let which = 0; which < ESTIMATES; which++)
      shares[bucket + which] =
        (shares[bucket + which] ?? 0) +
        ((text.values[at * ESTIMATES + which] ?? 0) * (weights[bucket + which] ?? 0)) / whole;
  }
}

function mixture({ values, buckets }: Estimates, weights: Float64Array, at: number): number {
  const bucket = (buckets[at] ?? 0) * ESTIMATES;
  let whole = 0;
  for (let which = 0; which < ESTIMATES; which++)
    whole += (values[at * ESTIMATES + which] ?? 0) * (weights[bucket + which] ?? 0);
  return whole;
}

function sumOfLogs(text: Estimates, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < text.buckets.length; at++) sum += Math.log(mixture(text, weights, at));
  return sum;
}
