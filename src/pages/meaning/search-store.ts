import { COMPRESSED_SIZE } from '../../contract/wire/limits.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnalysisClient } from './analysis-client.ts';
import type { CollectionStore, EmbeddingClient } from './collection-store.ts';
import type { Answer, Problem } from '../../client/client.ts';
import type { Hit, MeaningShare } from '../../protocol/analysis-tasks.ts';
import { createLatest, problemOf } from '../../stores/latest-request.ts';

/** Weight of meaning; the best value in the measurements of docs/decisions.md. */
export const DEFAULT_SHARE: MeaningShare = 0.5;

const MAX_HITS = 100;

/** A search in the collection, by meaning and words together. */
interface SearchState {
  readonly query: string;
  readonly share: MeaningShare;
  /** The hits, and the number of texts that were searched; null: no search. */
  readonly found: { readonly query: string; readonly hits: readonly Hit[]; readonly searched: number } | null;
  readonly isRunning: boolean;
  readonly problem: Problem | null;
  /** Searches; replaces an older search. An empty query clears the result. */
  search(query: string): Promise<void>;
  weigh(share: MeaningShare): Promise<void>;
}

/** A search that is repeated as the collection grows. */
export function createSearchStore(
  client: EmbeddingClient,
  analysis: AnalysisClient,
  collection: CollectionStore,
): StoreApi<SearchState> {
  const latest = createLatest();
  const vectorOf = createQueryEmbedder(client);
  const store = createStore<SearchState>((set, get) => {
    const find = async (query: string, signal: AbortSignal): Promise<Partial<SearchState>> => {
      const vector = await vectorOf(query, signal);
      if (!vector.ok) return { problem: vector.problem };
      const searched = collection.getState().collected?.count ?? 0;
      const input = { query, vector: vector.value, share: get().share, most: MAX_HITS };
      const { hits } = await analysis.run('search', input, { signal });
      return { problem: null, found: { query, hits, searched } };
    };
    const run = async () => {
      const query = get().query.trim();
      if (query === '' || !collection.getState().collected?.count) {
        latest.cancel();
        return set({ found: null, isRunning: false });
      }
      set({ isRunning: true });
      const change = await latest.run({
        request: ({ signal }) => find(query, signal),
        onError: (error) => ({ problem: problemOf(error, 'DEVICE_LOST') }),
      });
      if (change) set({ ...change, isRunning: false });
    };
    return {
      query: '',
      share: DEFAULT_SHARE,
      found: null,
      isRunning: false,
      problem: null,
      search(query) {
        set({ query });
        return run();
      },
      weigh(share) {
        set({ share });
        return run();
      },
    };
  });
  collection.subscribe(({ collected }, { collected: old }) => {
    if (collected?.count !== old?.count || collected?.table !== old?.table)
      void store.getState().search(store.getState().query);
  });
  return store;
}

/** Embeds queries; the vector of the last one is remembered. */
function createQueryEmbedder(client: EmbeddingClient) {
  let last: { readonly query: string; readonly vector: Float32Array } | null = null;
  return async (prompt: string, signal: AbortSignal): Promise<Answer<Float32Array>> => {
    if (last?.query === prompt) return { ok: true, value: last.vector };
    const answer = await client.semanticEmbed(
      { prompt, representation: 'query', compress_to_size: COMPRESSED_SIZE, normalize: true },
      { signal },
    );
    if (!answer.ok) return answer;
    last = { query: prompt, vector: Float32Array.from(answer.value.embedding) };
    return { ok: true, value: last.vector };
  };
}
