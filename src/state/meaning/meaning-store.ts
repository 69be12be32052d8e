import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Memory } from '../storage/memory.ts';
import type { EmbeddingClient } from './embedding.ts';

/** What the page needs to open its room. */
export interface MeaningSource {
  readonly client: EmbeddingClient;
  readonly memory: Memory;
}

/** The page's share of what loads with the app: where its room comes from. The room itself loads with the page. */
export interface MeaningState {
  readonly source: MeaningSource;
}
export type MeaningStore = StoreApi<MeaningState>;

/** A page that was not opened yet. */
export function createMeaningStore(client: EmbeddingClient, memory: Memory): MeaningStore {
  return createStore<MeaningState>(() => ({ source: { client, memory } }));
}
