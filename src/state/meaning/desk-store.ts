import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CollectionStore } from './collection-store.ts';

/** The views of the page, in the order in which they are offered. */
export const VIEWS = ['search', 'map', 'matrix', 'sort', 'duplicates'] as const;
export type View = (typeof VIEWS)[number];

/** What the views share: which one is open, and which texts were chosen in it. */
export interface DeskState {
  readonly view: View;
  /** Texts that were chosen, by their places, in the order of the collection. */
  readonly chosen: readonly number[];
  /** What was chosen before, for undo; null: nothing was. */
  readonly replaced: readonly number[] | null;
  /** The text that is looked at; null: none. */
  readonly active: number | null;
  show(view: View): void;
  choose(indices: Iterable<number>): void;
  /** Brings back the choice before this one. */
  undo(): void;
  activate(index: number | null): void;
}
export type DeskStore = StoreApi<DeskState>;

/** Nothing is chosen. Other texts clear what was. */
export function createDeskStore(collection: CollectionStore): DeskStore {
  const store = createStore<DeskState>((set) => ({
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
  collection.subscribe(({ collected }, before) => {
    if (collected?.table !== before.collected?.table) store.setState({ chosen: [], replaced: null, active: null });
  });
  return store;
}
