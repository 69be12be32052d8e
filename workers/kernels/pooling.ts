import type { Pooling } from '../../src/contract/embed.ts';

/** The poolings that are weighted sums over positions. */
export type LinearPooling = Exclude<Pooling, 'max' | 'abs_max'>;

/**
 * Weight of each position in a pooling. Attention controls weigh here too: w is the position's factor (1 without).
 *
 * - mean: w² / Σ w² (both factors are applied in the vendor's code)
 * - weighted_mean: w·c / Σ w·c with c = cumulative sum of w, so 1 … n without controls
 * - last_token: the last position with the greatest weight, times its weight
 *
 * The first two depend on the ratios of factors alone, so that squares of factors as small as 1e-300 do not vanish.
 *
 * @param factors  `[positions]`; all zero counts as uncontrolled, since nothing would be left to pool
 * @returns        float32 `[positions]`
 * @throws         {RangeError} for no positions
 * @source         contract facts §1.3, pooling formulas
 */
export function poolingWeights(pooling: LinearPooling, factors: ArrayLike<number>): Float32Array {
  if (factors.length === 0) throw new RangeError('expected at least one position to pool, got none');
  const w = unlessNothing(factors);
  switch (pooling) {
    case 'mean':
      return shares(squares(relative(w)));
    case 'weighted_mean':
      return shares(timesCumulative(relative(w)));
    case 'last_token':
      return lastGreatest(w);
  }
}

/**
 * The weights of `mean` before they are divided by their sum, for networks that pool by themselves: a prompt's positions
 * and the `before` and `after` special ones around it, which weigh 1 as a position without controls does.
 *
 * @param factors  of the prompt, `[positions]`; all zero counts as uncontrolled, as above
 * @returns        float32 `[before + positions + after]`; the greatest is 1, so that neither square nor sum leaves float32
 */
export function meanWeights(factors: ArrayLike<number>, before: number, after: number): Float32Array {
  const given = unlessNothing(factors);
  const all = new Float64Array(before + given.length + after).fill(1);
  all.set(given, before);
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

function unlessNothing(factors: ArrayLike<number>): Float64Array {
  const given = Float64Array.from(factors);
  return given.some((factor) => factor > 0) ? given : given.fill(1);
}

function squares(weights: Float64Array): Float64Array {
  return weights.map((weight) => weight * weight);
}

function shares(weights: Float64Array): Float32Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Float32Array.from(weights, (weight) => weight / sum);
}

function timesCumulative(weights: Float64Array): Float64Array {
  let cumulative = 0;
  return weights.map((weight) => weight * (cumulative += weight));
}

function lastGreatest(weights: Float64Array): Float32Array {
  const greatest = greatestOf(weights);
  const only = new Float32Array(weights.length);
  only[weights.lastIndexOf(greatest)] = greatest;
  return only;
}

/** The vector scaled to length 1; a vector of zeros stays as it is. */
export function normalized(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return norm > 0 ? vector.map((x) => x / norm) : vector;
}
