import { POOLINGS } from '../../contract/wire/limits.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { Pooling } from '../../contract/embed.ts';
import { type BufferedStorage, createPersistentStore } from '../../stores/buffered-storage.ts';
import type { InsideSource, InsideStores } from './live-stores.ts';

interface InsideState {
  readonly source: InsideSource;
  /** Texts and answers; their code loads with the page; null until `insideStoresOf` creates them. */
  stores: InsideStores | null;
  readonly pooling: Pooling;
  /** Layer whose similarities are shown; null: the last one. */
  readonly layer: number | null;
  choosePooling(pooling: Pooling): void;
  chooseLayer(layer: number): void;
  /** Replaces the texts and compares them; Undo restores the old ones. */
  compare(texts: readonly string[]): Promise<void>;
}

/** Restores the choices of the last visit; texts are not stored, since they are the user's own. */
export function createInsideStore(source: InsideSource, memory: BufferedStorage): StoreApi<InsideState> {
  return createPersistentStore<InsideState, 'pooling'>(
    'lightwell.inside',
    memory,
    { pooling: (stored) => POOLINGS.find((pooling) => pooling === stored) ?? 'mean' },
    (set, get) => ({
      source,
      stores: null,
      pooling: 'mean',
      layer: null,
      choosePooling: (pooling) => set({ pooling }),
      chooseLayer: (layer) => set({ layer }),
      async compare(texts) {
        const { insideStoresOf } = await import('./live-stores.ts');
        const { replace, run } = insideStoresOf(get()).similarity.getState();
        replace({ texts });
        await run();
      },
    }),
  );
}
