import { persist } from 'zustand/middleware';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Pooling } from '../../contract/embed.ts';
import { asIs, createFieldStorage } from '../storage/field-storage.ts';
import type { Memory } from '../storage/memory.ts';
import { type InsideSource, POOLINGS } from './similarity.ts';

/** How the Inside page shows what it has found. Texts and answers are in stores of their own, which load with the page. */
export interface InsideState {
  readonly source: InsideSource;
  readonly pooling: Pooling;
  /** Layer whose similarities are shown; null: the last one. */
  readonly layer: number | null;
  choosePooling(pooling: Pooling): void;
  chooseLayer(layer: number): void;
}
export type InsideStore = StoreApi<InsideState>;

type Kept = Pick<InsideState, 'pooling'>;

/** The page as it was left, without texts: they are the user's own. */
export function createInsideStore(source: InsideSource, memory: Memory): InsideStore {
  return createStore<InsideState>()(
    persist(
      (set): InsideState => ({
        source,
        pooling: 'mean',
        layer: null,
        choosePooling: (pooling) => set({ pooling }),
        chooseLayer: (layer) => set({ layer }),
      }),
      {
        name: 'lightwell.inside',
        storage: createFieldStorage<Kept>(memory, { pooling: asIs }),
        partialize: ({ pooling }) => ({ pooling }),
        merge: (kept, current) => ({ ...current, pooling: poolingIn(kept) }),
      },
    ),
  );
}

function poolingIn(kept: unknown): Pooling {
  const value = typeof kept === 'object' && kept !== null && 'pooling' in kept ? kept.pooling : null;
  return POOLINGS.find((pooling) => pooling === value) ?? 'mean';
}
