/** The poolings of a text that are sums of its states. */
export type SummedPooling = 'cls' | 'mean' | 'mean_sqrt_len' | 'weighted_mean' | 'last_token';

/**
 * What each position of a text contributes to its vector.
 *
 * - cls, last_token: the first or the last position alone
 * - mean: w / Σ w
 * - mean_sqrt_len: w / √Σ w
 * - weighted_mean: w·i / Σ w·i with i = 1 … n
 *
 * @param weights  of the text's positions without padding, `[positions]`, w; 0 leaves a position out
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
      return divided(weights, sum(weights));
    case 'mean_sqrt_len':
      return divided(weights, Math.sqrt(sum(weights)));
    case 'weighted_mean': {
      const rising = weights.map((weight, index) => weight * (index + 1));
      return divided(rising, sum(rising));
    }
  }
}

function only(length: number, index: number): Float32Array {
  const shares = new Float32Array(length);
  shares[index] = 1;
  return shares;
}

function sum(weights: Float32Array): number {
  return weights.reduce((total, weight) => total + weight, 0);
}

function divided(weights: Float32Array, by: number): Float32Array {
  return by > 0 ? weights.map((weight) => weight / by) : new Float32Array(weights.length);
}

/**
 * Sum of states, each times its share.
 *
 * @param states  row-major `[positions, width]`
 * @param shares  `[positions]`
 */
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

/** `activation(weights · vector + bias)`; weights are row-major `[outputs, inputs]`. @throws {RangeError} */
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
