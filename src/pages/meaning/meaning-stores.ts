import { createStore, type StoreApi } from 'zustand/vanilla';
import { createViewStores } from './view-stores.ts';
import { type AnalysisClient, createAnalysisClient } from './analysis-client.ts';
import {
  type CollectionStore,
  createCollectionStore,
  createEmbedSpeed,
  type EmbeddingClient,
  onReplaced,
} from './collection-store.ts';
import { createInputStore } from './input-store.ts';
import type { BufferedStorage } from '../../stores/buffered-storage.ts';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import { COMPRESSED_SIZE } from '../../contract/wire/limits.ts';
import type { Answer, Problem } from '../../client/client.ts';
import type { Hit, MeaningShare } from '../../protocol/analysis-tasks.ts';
import { createLatest, problemOf } from '../../stores/latest-request.ts';

interface MeaningSource {
  readonly client: EmbeddingClient;
  readonly memory: BufferedStorage;
}

type MeaningStores = ReturnType<typeof createMeaningStores>;

/** All stores of the page Meaning, without texts, and its analysis worker. */
export function createMeaningStores(
  { client, memory }: MeaningSource,
  analysis: AnalysisClient = createAnalysisClient(),
) {
  const speed = createEmbedSpeed(memory);
  const collection = createCollectionStore({ client, analysis, speed });
  return {
    analysis,
    speed,
    collection,
    ...createSelectionStores(analysis, collection),
    ...createViewStores(analysis, collection),
    input: createInputStore(client, speed, memory),
    search: createSearchStore(client, analysis, collection),
  };
}

const created = new WeakMap<MeaningSource, MeaningStores>();

/** The stores of the page, created at first use and then the same, so that its texts remain when the user leaves the page. */
export function meaningStoresOf(source: MeaningSource): MeaningStores {
  const stores = created.get(source) ?? createMeaningStores(source);
  created.set(source, stores);
  return stores;
}

/** The stores of the page, for actions. */
export function useMeaningStores(): MeaningStores {
  return meaningStoresOf(useStores().meaning.getState());
}

type StoreName = Exclude<keyof MeaningStores, 'analysis' | 'speed'>;
type States = { readonly [Name in StoreName]: ReturnType<MeaningStores[Name]['getState']> };

/** Follows a value of a store of the page. */
export function useMeaning<Name extends StoreName, Value>(name: Name, select: (state: States[Name]) => Value): Value {
  const stores: { readonly [Key in StoreName]: StoreApi<States[Key]> } = useMeaningStores();
  return useValueOf(stores[name], select);
}

/** The collected texts; null before the first. */
export function useCollected() {
  return useMeaning('collection', ({ collected }) => collected);
}

/** Weight of meaning; the best value in the measurements of docs/decisions/search.md. */
export const DEFAULT_SHARE: MeaningShare = 0.5;

const MAX_HITS = 100;

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
function createSearchStore(
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
        return set({ found: null, isRunning: false, problem: null });
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

/** The views of the page, in order. */
export const MEANING_VIEWS = ['map', 'matrix', 'sort', 'duplicates'] as const;
type MeaningView = (typeof MEANING_VIEWS)[number];

interface SelectionState {
  readonly view: MeaningView;
  /** Indices of the chosen texts, ascending. */
  readonly chosen: readonly number[];
  /** The previous choice, for undo; null: none. */
  readonly replaced: readonly number[] | null;
  /** Index of the text under the pointer or the keyboard cursor; null: none. */
  readonly active: number | null;
  show(view: MeaningView): void;
  choose(indices: Iterable<number>): void;
  undo(): void;
  activate(index: number | null): void;
}

/** The texts nearest to the active text, nearest first. */
interface NeighboursState {
  readonly list: readonly { readonly index: number; readonly cosine: number }[];
}

const MAX_NEIGHBOURS = 5;
const NONE: NeighboursState = { list: [] };

/** An empty selection, cleared when the texts are replaced, and the neighbours of its active text. */
function createSelectionStores(analysis: AnalysisClient, collection: CollectionStore) {
  const selection = createStore<SelectionState>((set) => ({
    view: 'map',
    chosen: [],
    replaced: null,
    active: null,
    show: (view) => set({ view }),
    choose: (indices) =>
      set(({ chosen }) => ({
        chosen: [...new Set(indices)].sort((a, b) => a - b),
        replaced: chosen.length > 0 ? chosen : null,
      })),
    undo: () => set(({ replaced }) => (replaced ? { chosen: replaced, replaced: null } : {})),
    activate: (active) => set({ active }),
  }));
  onReplaced(collection, () => selection.setState({ chosen: [], replaced: null, active: null }));
  const neighbours = createStore<NeighboursState>(() => NONE);
  const latest = createLatest();
  const follow = async (index: number) => {
    const next = await latest.run<NeighboursState>({
      request: async ({ signal }) => {
        const result = await analysis.run('neighbours', { index, most: MAX_NEIGHBOURS }, { signal });
        return { list: result.neighbours };
      },
      onError: () => NONE, // the worker died: the next request reports it
    });
    if (next) neighbours.setState(next);
  };
  selection.subscribe(({ active }, before) => {
    if (active === before.active) return;
    latest.cancel();
    neighbours.setState(NONE);
    if (active !== null) void follow(active);
  });
  return { selection, neighbours };
}
