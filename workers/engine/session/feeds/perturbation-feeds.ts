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
  if (factors && factors.length !== batch * lengths.total)
    throw new RangeError(`${factors.length} factors for ${batch} sequences of ${lengths.total} positions`);
  const row = (values: Float32Array): Tensor => new ort.Tensor('float32', values, [batch, 1, 1, lengths.total]);
  const bool = (value: boolean): Tensor => new ort.Tensor('bool', Uint8Array.of(Number(value)), []);
  const neutral = (value: number): Tensor => new ort.Tensor('float32', Float32Array.of(value), [1, 1, 1, 1]);
  const bias = factors && !isMultiplicative ? Float32Array.from(factors, additiveBias) : undefined;
  const plain = bias ? row(bias) : neutral(0);
  return {
    [PERTURBATION.multiplicative]: bool(isMultiplicative),
    [PERTURBATION.hides]: bool(layout !== undefined),
    [PERTURBATION.factor]: factors && isMultiplicative ? row(Float32Array.from(factors)) : neutral(1),
    [PERTURBATION.bias]: layout ? rowsOfBias(ort, layout, bias, lengths) : plain,
  };
}

function additiveBias(factor: number): number {
  return Math.max(ADDITIVE_FLOOR, Math.log(factor));
}

/**
 * A bias for each token of the run: the columns that it does not see are very low.
 *
 * @param bias  `[batch, total]`; undefined: 0, and one block of rows serves the batch unless the layout has more
 */
function rowsOfBias(ort: Ort, { hidden }: Layout, bias: Float32Array | undefined, { tokens, total }: Lengths): Tensor {
  const block = tokens * total;
  const count = Math.max(hidden.length / block, (bias?.length ?? 0) / total);
  const values = new Float32Array(count * block);
  for (let sequence = 0; sequence < count; sequence++) {
    const own = bias?.subarray(sequence * total, (sequence + 1) * total);
    if (own) for (let at = 0; at < block; at += total) values.set(own, sequence * block + at);
    const from = hidden.length === block ? 0 : sequence * block;
    for (let at = 0; at < block; at++) if (hidden[from + at]) values[sequence * block + at] = HIDDEN;
  }
  return new ort.Tensor('float32', values, [count, 1, tokens, total]);
}
