import { createStore } from 'zustand/vanilla';
import type { AnalysisClient } from './analysis-client.ts';
import { type CollectionStore, onReplaced } from './collection-store.ts';
import { createLatest } from '../../stores/latest-request.ts';

/** The views of the page, in order. */
export const MEANING_VIEWS = ['search', 'map', 'matrix', 'sort', 'duplicates'] as const;
type MeaningView = (typeof MEANING_VIEWS)[number];

/** State that the views share. */
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
  /** Restores the previous choice. */
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
export function createSelectionStores(analysis: AnalysisClient, collection: CollectionStore) {
  const selection = createStore<SelectionState>((set) => ({
    view: 'search',
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
