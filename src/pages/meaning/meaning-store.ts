import { createStore } from 'zustand/vanilla';
import type { EmbeddingClient } from './embedding.ts';
import type { BufferedStorage } from '../../stores/buffered-storage.ts';

/** What the stores of the page Meaning need from the app; `meaningStoresOf` creates them when the page opens. */
export function createMeaningStore(client: EmbeddingClient, memory: BufferedStorage) {
  return createStore(() => ({ client, memory }));
}
