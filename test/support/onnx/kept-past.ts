import type { KvCache, Network, NetworkRun } from '../../../workers/engine/network.ts';

/** The KV cache that a run leaves behind, of one row unless told; the caller releases it. */
export async function keptPast(
  network: Network,
  run: Omit<NetworkRun, 'batch'> & Partial<NetworkRun>,
): Promise<KvCache> {
  const { kvCache } = await network.run({ batch: 1, ...run, keepKvCache: true });
  if (kvCache === undefined) throw new Error('expected a run to keep its KV cache, got none');
  return kvCache;
}
