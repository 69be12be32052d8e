import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../analysis/analysis.ts';
import type { Problem } from '../../client/client.ts';
import type { Hit, MeaningShare } from '../../protocol/analysis-tasks.ts';
import type { CollectionStore } from './collection-store.ts';
import { embedQuery, type EmbeddingClient } from './embedding.ts';

/** Half of a hit's score: measured to be best, docs/decisions.md. */
export const DEFAULT_SHARE: MeaningShare = 0.5;

/** Hits that are asked for: nobody reads more. */
export const MOST_HITS = 100;

/** A search in the collection, by meaning and words together. */
export interface SearchState {
  readonly query: string;
  readonly share: MeaningShare;
  /** Null: nothing was searched. */
  readonly found: Found | null;
  readonly isRunning: boolean;
  readonly problem: Problem | null;
  /** Searches; an older search is dropped. An empty query clears what was found. */
  search(query: string): Promise<void>;
  weigh(share: MeaningShare): Promise<void>;
}
export type SearchStore = StoreApi<SearchState>;

/** What a search found. */
export interface Found {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** Texts that were there to be searched. */
  readonly searched: number;
}

/** What a search needs. */
export interface SearchOptions {
  readonly client: EmbeddingClient;
  readonly analysis: Analysis;
  readonly collection: CollectionStore;
}

/** A search that follows the collection as it grows. */
export function createSearchStore({ client, analysis, collection }: SearchOptions): SearchStore {
  let current: AbortController | null = null;
  let embedded: { readonly query: string; readonly vector: Float32Array } | null = null;
  const store = createStore<SearchState>((set, get) => {
    const vectorOf = async (query: string, signal: AbortSignal): Promise<Float32Array | Problem> => {
      if (embedded?.query === query) return embedded.vector;
      const answer = await embedQuery(client, query, signal);
      if (!answer.ok) return answer.problem;
      embedded = { query, vector: answer.value };
      return answer.value;
    };
    const find = async (query: string, signal: AbortSignal) => {
      const vector = await vectorOf(query, signal);
      if (!(vector instanceof Float32Array)) return set({ isRunning: false, problem: vector });
      const searched = collection.getState().collected?.count ?? 0;
      const input = { query, vector, share: get().share, most: MOST_HITS };
      const { hits } = await analysis.run('search', input, { signal });
      set({ isRunning: false, problem: null, found: { query, hits, searched } });
    };
    const run = async () => {
      current?.abort();
      const query = get().query.trim();
      if (query === '' || !collection.getState().collected?.count) return set({ found: null, isRunning: false });
      const controller = new AbortController();
      current = controller;
      set({ isRunning: true });
      try {
        await find(query, controller.signal);
      } catch (error) {
        if (controller.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        set({ isRunning: false, problem: { status: 0, code: 'DEVICE_LOST', message } });
      }
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
  collection.subscribe(({ collected }, before) => {
    if (collected?.count !== before.collected?.count || collected?.table !== before.collected?.table)
      void store.getState().search(store.getState().query);
  });
  return store;
}
