import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../../analysis/analysis.ts';
import { AT_REST, createAttempts, type WorkState } from '../attempt.ts';
import type { CollectionStore } from '../collection-store.ts';

/** Texts that are compared at once: more do not fit on a screen. */
export const MOST_COMPARED = 50;

/** How alike some texts are, each with each. */
export interface MatrixState extends WorkState {
  /** Places of the texts in the collection. */
  readonly indices: readonly number[];
  /** `[indices, indices]`, −1 to 1; null before they are computed. */
  readonly cosines: Float32Array | null;
  /** Compares the first of these texts, at most `MOST_COMPARED`. */
  compare(indices: readonly number[]): Promise<void>;
}
export type MatrixStore = StoreApi<MatrixState>;

/** Nothing was compared. Other texts clear what was. */
export function createMatrixStore(analysis: Analysis, collection: CollectionStore): MatrixStore {
  const store = createStore<MatrixState>((set) => {
    const attempts = createAttempts(set);
    return {
      ...AT_REST,
      indices: [],
      cosines: null,
      compare: (indices) =>
        attempts.run(async (signal) => {
          const compared = indices.slice(0, MOST_COMPARED);
          const { cosines } = await analysis.run('similarities', { indices: compared }, { signal });
          set({ indices: compared, cosines });
        }),
    };
  });
  collection.subscribe(({ collected }, before) => {
    if (collected?.table !== before.collected?.table) store.setState({ ...AT_REST, indices: [], cosines: null });
  });
  return store;
}
