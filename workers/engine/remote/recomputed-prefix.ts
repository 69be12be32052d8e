import { type KvCache, type Network, type NetworkRun, type Perturbation, tokensOf } from '../network.ts';

/** A KV cache is sent along with every pass behind it up to so many bytes; a longer one is computed again there. */
export const SHIPPED_BYTES = 4 * 2 ** 20;

/** See `recomputingPrefixes`. */
export interface PrefixRule {
  /** Of keys and values, as they travel. */
  readonly bytesPerToken: number;
  /** Default: `SHIPPED_BYTES`. */
  readonly shippedBytes?: number;
}

/**
 * A network elsewhere whose long KV caches stay unmade: a pass behind one is sent with the tokens before it, which the engine
 * computes again. Numbers do not change: where the pass controls the prefix in another way than the cache was made with, the
 * cache is made and sent after all.
 */
export function recomputingPrefixes(
  network: Network,
  { bytesPerToken, shippedBytes = SHIPPED_BYTES }: PrefixRule,
): Network {
  const unmade = new WeakMap<KvCache, NetworkRun>();
  const isLong = ({ batch, tokens }: Pick<KvCache, 'batch' | 'tokens'>) =>
    batch * tokens * bytesPerToken > shippedBytes;
  const run: Network['run'] = async (asked) => {
    const before = asked.cached && unmade.get(asked.cached.kvCache);
    if (asked.cached && before) {
      const whole = behind(before, asked, asked.cached.tokens);
      return whole ? run(whole) : withMade(before, asked);
    }
    const tokens = (asked.cached?.tokens ?? 0) + tokensOf(asked);
    if (!asked.keepKvCache || asked.cached || !isLong({ batch: asked.batch, tokens })) return network.run(asked);
    const kvCache: KvCache = { batch: asked.batch, tokens, release: () => void unmade.delete(kvCache) };
    unmade.set(kvCache, asked);
    const wantsMore = asked.logits || asked.targets || asked.pooling || asked.maxima || asked.outputs;
    return { ...(wantsMore && (await network.run({ ...asked, keepKvCache: false }))), kvCache };
  };
  /** Makes the cache for this pass. */
  async function withMade(before: NetworkRun, asked: NetworkRun) {
    const { kvCache } = await network.run({ ...before, signal: asked.signal });
    if (!kvCache) throw new TypeError('a KV cache that was asked for is missing');
    try {
      return await network.run({ ...asked, cached: { kvCache, tokens: asked.cached?.tokens ?? 0 } });
    } finally {
      kvCache.release();
    }
  }
  return { ...network, run };
}

/** The pass with the tokens before it; undefined where it cannot be put so. */
function behind(before: NetworkRun, asked: NetworkRun, cachedTokens: number): NetworkRun | undefined {
  if (before.segments || asked.segments || before.lengths || before.tokenWeights || asked.tokenWeights)
    return undefined;
  if (before.layout || asked.layout) return undefined; // it tells the positions of the pass alone
  if (!startsAlike(before, asked, cachedTokens)) return undefined;
  const { cached: _, ...rest } = asked;
  const overrides = [...(before.embeddingOverrides ?? []), ...(asked.embeddingOverrides ?? [])];
  return {
    ...rest,
    ...idsOf(before, asked, cachedTokens),
    ...(asked.lengths && { lengths: asked.lengths.map((length) => length + cachedTokens) }),
    ...(overrides.length > 0 && { embeddingOverrides: overrides }),
  };
}

function idsOf(before: NetworkRun, asked: NetworkRun, cachedTokens: number): Pick<NetworkRun, 'ids' | 'sameIds'> {
  const rowOf = ({ ids, sameIds, batch }: NetworkRun, index: number, length: number) => {
    const start = sameIds || batch === 1 ? 0 : index * length;
    return ids.subarray(start, start + length);
  };
  const [prefix, tokens] = [tokensOf(before), tokensOf(asked)];
  const row = (index: number) =>
    Int32Array.from([...rowOf(before, index, prefix).subarray(0, cachedTokens), ...rowOf(asked, index, tokens)]);
  const isOne = (before.sameIds || before.batch === 1) && asked.sameIds;
  if (isOne) return { ids: row(0), sameIds: true };
  const rows = Array.from({ length: asked.batch }, (_, index) => row(index));
  return { ids: Int32Array.from(rows.flatMap((each) => [...each])), sameIds: false };
}

/** Whether the prefix is controlled in the pass as it was when the cache was to be made. */
function startsAlike(before: NetworkRun, asked: NetworkRun, cachedTokens: number): boolean {
  const total = { before: tokensOf(before), asked: cachedTokens + tokensOf(asked) };
  const first = factorsOf(before, total.before);
  const second = factorsOf(asked, total.asked);
  const isNeutral = (factors: ArrayLike<number>) => Array.from(factors).every((factor) => factor === 1);
  const modes = [before.perturbation, asked.perturbation].filter(
    (each): each is Perturbation => each !== undefined && !isNeutral(each.factors),
  );
  if (new Set(modes.map(({ mode }) => mode)).size > 1) return false;
  return Array.from({ length: asked.batch }, (_, index) => index).every((index) => {
    const row = before.batch === 1 ? 0 : index;
    for (let at = 0; at < cachedTokens; at++)
      if (first[row * total.before + at] !== second[index * total.asked + at]) return false;
    return true;
  });
}

function factorsOf({ batch, perturbation }: NetworkRun, total: number): Float32Array | Float64Array {
  return perturbation?.factors ?? new Float32Array(batch * total).fill(1);
}
