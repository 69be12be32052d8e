import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../analysis/analysis.ts';
import type { DeskStore } from './desk-store.ts';

/** A text that is near another one. */
export interface Neighbour {
  readonly index: number;
  readonly cosine: number;
}

/** The texts nearest to the one that is looked at. */
export interface NeighboursState {
  /** The text whose neighbours these are; null: none yet. */
  readonly of: number | null;
  readonly list: readonly Neighbour[];
}
export type NeighboursStore = StoreApi<NeighboursState>;

const MOST = 5;

/** Follows the active text; only the newest one gets an answer. */
export function createNeighboursStore(analysis: Analysis, desk: DeskStore): NeighboursStore {
  const store = createStore<NeighboursState>(() => ({ of: null, list: [] }));
  let current: AbortController | null = null;
  const follow = async (index: number) => {
    const controller = new AbortController();
    current = controller;
    try {
      const { neighbours } = await analysis.run('neighbours', { index, most: MOST }, { signal: controller.signal });
      store.setState({ of: index, list: neighbours });
    } catch {
      store.setState({ of: null, list: [] }); // aborted, or the worker died: whoever asks next is told
    }
  };
  desk.subscribe(({ active }, before) => {
    if (active === before.active) return;
    current?.abort();
    store.setState({ of: null, list: [] });
    if (active !== null) void follow(active);
  });
  return store;
}
