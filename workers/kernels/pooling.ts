import type { Pooling } from '../../src/contract/embed.ts';

/** The poolings that are weighted sums over positions. */
type LinearPooling = Exclude<Pooling, 'max' | 'abs_max'>;

/**
 * The weight of each position in a pooling. Attention controls count here too: w is the position's factor (1 without).
 *
 * - mean: w² / Σ w² (both factors are applied in the vendor's code)
 * - weighted_mean: w·c / Σ w·c with c = cumulative sum of w, so 1 … n without controls
 * - last_token: the last position with the greatest weight, times its weight
 *
 * The first two depend on the ratios of factors alone, so that squares of factors as small as 1e-300 do not underflow.
 *
 * @param factors  `[positions]`; all zero counts as uncontrolled, since nothing would be left
 * @returns        float32 `[positions]`
 * @throws         {RangeError} for no positions
 * @source         contract facts §1.3, pooling formulas
 */
export function poolingWeights(pooling: LinearPooling, factors: ArrayLike<number>): Float32Array {
  if (factors.length === 0) throw new RangeError('expected at least one position to pool, got none');
  const w = unlessZero(factors);
  switch (pooling) {
    case 'mean':
      return shares(squares(relative(w)));
    case 'weighted_mean': {
      let cumulative = 0;
      return shares(relative(w).map((weight) => weight * (cumulative += weight)));
    }
    case 'last_token': {
      const greatest = greatestOf(w);
      return only(w.length, w.lastIndexOf(greatest), greatest);
    }
  }
}

/**
 * The weights of `mean` before division by their sum, for networks that pool by themselves: a prompt's positions and the
 * `before` and `after` special ones around it, whose w is 1.
 *
 * @param factors  of the prompt, `[positions]`; all zero counts as uncontrolled, as above
 * @returns        float32 `[before + positions + after]`; the greatest is 1, so that neither square nor sum leaves float32
 */
export function meanWeights(factors: ArrayLike<number>, before: number, after: number): Float32Array {
  const w = unlessZero(factors);
  const all = new Float64Array(before + w.length + after).fill(1);
  all.set(w, before);
  return Float32Array.from(squares(relative(all)));
}

/** Factors as shares of the greatest, so that those as small as 1e-300 keep their digits in float32; zeros stay zeros. */
export function relative(factors: Float64Array): Float64Array {
  const greatest = greatestOf(factors);
  return greatest > 0 ? factors.map((factor) => factor / greatest) : factors;
}

function greatestOf(weights: Float64Array): number {
  return weights.reduce((most, weight) => Math.max(most, weight), 0);
}

function unlessZero(factors: ArrayLike<number>): Float64Array {
  const w = Float64Array.from(factors);
  return w.some((factor) => factor > 0) ? w : w.fill(1);
}

function squares(weights: Float64Array): Float64Array {
  return weights.map((weight) => weight * weight);
}

function shares(weights: Float32Array | Float64Array, total = sum(weights)): Float32Array {
  return Float32Array.from(weights, (weight) => (total > 0 ? weight / total : 0));
}

function sum(weights: Float32Array | Float64Array): number {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
}

function only(length: number, position: number, weight = 1): Float32Array {
  const weights = new Float32Array(length);
  weights[position] = weight;
  return weights;
}

/** The vector scaled to length 1; a vector of zeros stays as it is. */
export function normalized(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return norm > 0 ? vector.map((x) => x / norm) : vector;
}

/** Poolings of a sentence model that are sums of states. */
export type SummedPooling = 'cls' | 'mean' | 'mean_sqrt_len' | 'weighted_mean' | 'last_token';

/**
 * The share of each position of a text in its vector.
 *
 * - cls, last_token: the first or the last position alone
 * - mean: w / Σ w
 * - mean_sqrt_len: w / √Σ w
 * - weighted_mean: w·i / Σ w·i with i = 1 … n
 *
 * @param weights  w of the text's positions without padding, `[positions]`; 0 leaves a position out
 * @returns        float32 `[positions]`; zeros where nothing is left, never NaN
 * @source         sentence-transformers 5, `Pooling.forward`
 */
export function sentenceShares(pooling: SummedPooling, weights: Float32Array): Float32Array {
  switch (pooling) {
    case 'cls':
      return only(weights.length, 0);
    case 'last_token':
      return only(weights.length, weights.length - 1);
    case 'mean':
      return shares(weights);
    case 'mean_sqrt_len':
      return shares(weights, Math.sqrt(sum(weights)));
    case 'weighted_mean':
      return shares(weights.map((weight, index) => weight * (index + 1)));
  }
}

/** Sum of states, each times its share. @param states  row-major `[positions, width]` @param shares `[positions]` */
export function summedStates(states: Float32Array, shares: Float32Array): Float32Array {
  const width = states.length / shares.length;
  const vector = new Float64Array(width);
  shares.forEach((share, position) => {
    for (let k = 0; k < width && share !== 0; k++)
      vector[k] = (vector[k] ?? 0) + share * (states[position * width + k] ?? 0);
  });
  return Float32Array.from(vector);
}

/** The largest value of each dimension over the positions whose weight is not 0; zeros where there is none. */
export function largestStates(states: Float32Array, weights: Float32Array): Float32Array {
  const width = states.length / weights.length;
  const vector = new Float32Array(width).fill(-Infinity);
  weights.forEach((weight, position) => {
    for (let k = 0; k < width && weight > 0; k++)
      vector[k] = Math.max(vector[k] ?? 0, states[position * width + k] ?? 0);
  });
  return vector.map((value) => (value === -Infinity ? 0 : value));
}

/** `activation(weights · vector + bias)`; weights are row-major `[outputs, inputs]`. @throws {RangeError} for another number of weights */
export function denseLayer(
  vector: Float32Array,
  weights: Float32Array,
  bias: Float32Array,
  activation: (x: number) => number,
): Float32Array {
  const inputs = vector.length;
  if (weights.length !== inputs * bias.length)
    throw new RangeError(`${weights.length} weights for ${inputs} inputs and ${bias.length} outputs`);
  return Float32Array.from(bias, (start, output) => {
    let value = start;
    for (let input = 0; input < inputs; input++)
      value += (weights[output * inputs + input] ?? 0) * (vector[input] ?? 0);
    return activation(value);
  });
}
