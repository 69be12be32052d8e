import type { Layout, NetworkRun } from '../../network.ts';
import { PERTURBATION } from '../../tensor-names.ts';
import type { Ort, Tensor } from '../session.ts';
import type { Feeds } from '../tensors.ts';

/**
 * What factor 0 adds to a score. Finite, because a row may see nothing but suppressed keys. exp(−1000) is 0 in every
 * arithmetic in use, as exp(−10000) of the reference is; but float32 scores keep five digits behind the point beside
 * −1000, and it stays above the −10000 by which old exporters mask, so that a suppressed key is never below a future one.
 *
 * @source decided here, 2026-11; contract facts §2.1 has −10000
 */
export const ADDITIVE_FLOOR = -1000;

/** What a hidden column adds to a score: more than factor 0 does, and it fits 16-bit floats. */
const HIDDEN = -60_000;

/** Lengths of a run. */
interface Lengths {
  readonly tokens: number;
  readonly total: number;
}

/**
 * Inputs of the perturbation; neutral and minimal without one.
 *
 * @throws {RangeError} when there is not a factor for each position of each sequence
 */
export function perturbationFeeds(ort: Ort, run: NetworkRun, lengths: Lengths): Feeds {
  const { batch, perturbation, layout } = run;
  const isMultiplicative = perturbation?.mode === 'multiplicative';
  const factors = perturbation?.factors;
  const each = factors === undefined ? 0 : factors.length / (batch * lengths.total);
  if (factors && each !== 1 && !(layout && each === lengths.tokens))
    throw new RangeError(`${factors.length} factors for ${batch} sequences of ${lengths.total} positions`);
  const row = (values: Float32Array): Tensor => new ort.Tensor('float32', values, [batch, 1, each, lengths.total]);
  const bool = (value: boolean): Tensor => new ort.Tensor('bool', Uint8Array.of(Number(value)), []);
  const neutral = (value: number): Tensor => new ort.Tensor('float32', Float32Array.of(value), [1, 1, 1, 1]);
  const bias = factors && !isMultiplicative ? biasOf(factors) : undefined;
  const plain = bias ? row(bias) : neutral(0);
  return {
    [PERTURBATION.multiplicative]: bool(isMultiplicative),
    [PERTURBATION.hides]: bool(layout !== undefined),
    [PERTURBATION.factor]: factors && isMultiplicative ? row(Float32Array.from(factors)) : neutral(1),
    [PERTURBATION.bias]: layout ? rowsOfBias(ort, layout, bias && { values: bias, each }, lengths) : plain,
  };
}

function biasOf(factors: Float32Array | Float64Array): Float32Array {
  const bias = new Float32Array(factors.length);
  for (let at = 0; at < bias.length; at++) {
    const factor = factors[at] ?? 1;
    if (factor !== 1) bias[at] = Math.max(ADDITIVE_FLOOR, Math.log(factor)); // most are 1
  }
  return bias;
}

/**
 * A bias for each token of the run: the columns that it does not see are very low.
 *
 * @param bias  `[sequences, each, total]`, each 1 or the run's tokens; undefined: 0, and one block of rows serves the batch
 *              unless the layout has more
 */
function rowsOfBias(
  ort: Ort,
  { hidden }: Layout,
  bias: { readonly values: Float32Array; readonly each: number } | undefined,
  { tokens, total }: Lengths,
): Tensor {
  const block = tokens * total;
  const sequences = bias ? bias.values.length / (bias.each * total) : 0;
  const count = Math.max(hidden.length / block, sequences);
  const values = bias?.each === tokens ? bias.values : new Float32Array(count * block);
  for (let sequence = 0; sequence < count; sequence++) {
    if (bias && values !== bias.values) {
      const own = bias.values.subarray(sequence * total, (sequence + 1) * total);
      for (let at = 0; at < block; at += total) values.set(own, sequence * block + at);
    }
    const from = hidden.length === block ? 0 : sequence * block;
    for (let at = 0; at < block; at++) if (hidden[from + at]) values[sequence * block + at] = HIDDEN;
  }
  return new ort.Tensor('float32', values, [count, 1, tokens, total]);
}
