import type { NetworkRun } from '../network.ts';

type Padded = Pick<NetworkRun, 'batch' | 'lengths'>;

/**
 * Checks what a run says about padding on the right.
 *
 * @param tokens  positions of each sequence, padding included
 * @param hasMask  whether the graph can be told where padding is
 * @throws {RangeError} when lengths do not fit the run, or something was asked for that padding would spoil
 */
export function checkPadding(run: NetworkRun, tokens: number, hasMask: boolean): void {
  const { batch, lengths } = run;
  if (lengths === undefined) return;
  if (lengths.length !== batch) throw new RangeError(`${lengths.length} lengths for ${batch} sequences`);
  const outside = lengths.find((length) => length < 1 || length > tokens);
  if (outside !== undefined) throw new RangeError(`a length of ${outside} in sequences of ${tokens} positions`);
  if (lengths.every((length) => length === tokens)) return;
  if (!hasMask) throw new RangeError('padded sequences for a network without an attention mask: batch equal lengths');
  const spoilt = (['sameIds', 'maxima', 'retain'] as const).find((wanted) => run[wanted]);
  if (spoilt) throw new RangeError(`padded sequences together with ${spoilt}`);
}

/** Ones and, in padding, zeros: `[batch, past + tokens]`. */
export function maskOf(run: Padded, { tokens, past }: { readonly tokens: number; readonly past: number }): Int32Array {
  const total = past + tokens;
  const mask = new Int32Array(run.batch * total).fill(1);
  run.lengths?.forEach((length, index) => mask.fill(0, index * total + past + length, (index + 1) * total));
  return mask;
}

/** Weights of positions in the network's own pooling, `[batch, tokens]`; padding weighs 0. @throws {RangeError} */
export function poolWeightsOf(run: Padded & Pick<NetworkRun, 'tokenWeights'>, tokens: number): Float32Array {
  const { batch, tokenWeights } = run;
  if (tokenWeights && tokenWeights.length !== batch * tokens)
    throw new RangeError(`${tokenWeights.length} token weights for ${batch} sequences of ${tokens} positions`);
  const weights = tokenWeights?.slice() ?? new Float32Array(batch * tokens).fill(1);
  run.lengths?.forEach((length, index) => weights.fill(0, index * tokens + length, (index + 1) * tokens));
  return weights;
}
