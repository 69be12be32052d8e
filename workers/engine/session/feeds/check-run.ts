import { type NetworkRun, tokensOf } from '../../network.ts';

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
  const spoilt = (['sameIds', 'maxima', 'keepKvCache'] as const).find((wanted) => run[wanted]);
  if (spoilt) throw new RangeError(`padded sequences together with ${spoilt}`);
}

/**
 * Checks that a layout fits its run.
 *
 * @throws {RangeError} naming what does not fit
 */
export function checkLayout(run: NetworkRun, tokens: number, takesPositions: boolean): void {
  const { batch, ids, layout, perturbation } = run;
  if (!layout) return;
  if (!takesPositions) throw new RangeError('a layout for a network that is not told positions');
  if (!perturbation) throw new RangeError('a layout without a perturbation');
  if (layout.positions.length !== ids.length)
    throw new RangeError(`${layout.positions.length} positions for ${ids.length} ids`);
  const block = tokens * ((run.cached?.tokens ?? 0) + tokens);
  if (layout.hidden.length !== block && layout.hidden.length !== batch * block)
    throw new RangeError(`a layout of ${layout.hidden.length} entries for ${batch} sequences of ${block}`);
}

/**
 * Tokens of each sequence of a run whose lengths fit one another.
 *
 * @throws {RangeError} naming the two lengths that do not fit
 */
export function checkedTokens(run: NetworkRun): number {
  const { batch, ids, cached, pooling, maxima } = run;
  const tokens = tokensOf(run);
  if (!Number.isInteger(tokens) || tokens < 1) throw new RangeError(`${ids.length} ids do not make ${batch} sequences`);
  if (cached && cached.tokens > cached.kvCache.tokens)
    throw new RangeError(`${cached.tokens} positions of a KV cache asked for, ${cached.kvCache.tokens} cached`);
  if (cached && cached.kvCache.batch !== 1 && cached.kvCache.batch !== batch)
    throw new RangeError(`a KV cache of ${cached.kvCache.batch} sequences for a run of ${batch}`);
  if (cached && (pooling || maxima))
    throw new RangeError('hidden states are pooled over whole sequences, not behind a KV cache');
  if (maxima && maxima.skip >= tokens)
    throw new RangeError(`maxima over ${tokens} positions without the first ${maxima.skip}`);
  return tokens;
}
