import type { StoreApi } from 'zustand/vanilla';
import { createViewStores } from './view-stores.ts';
import { type AnalysisClient, createAnalysisClient } from './analysis-client.ts';
import { createCollectionStore, createEmbedSpeed, type EmbeddingClient } from './collection-store.ts';
import { createInputStore } from './input-store.ts';
import { createSearchStore } from './search-store.ts';
import { createSelectionStores } from './selection-store.ts';
import type { BufferedStorage } from '../../stores/buffered-storage.ts';
import { useStores, useValueOf } from '../../stores/use-stores.ts';

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
