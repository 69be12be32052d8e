import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../../analysis/analysis.ts';
import type { DuplicateGroup } from '../../../protocol/analysis-tasks.ts';
import { AT_REST, createAttempts, type WorkState } from '../attempt.ts';
import type { CollectionStore } from '../collection-store.ts';

/** Texts that are nearly the same. */
export interface DuplicatesState extends WorkState {
  /** Cosine from which on two texts count as nearly the same. */
  readonly least: number;
  /** Null before they were searched. */
  readonly groups: readonly DuplicateGroup[] | null;
  /** Texts that were there to be compared. */
  readonly compared: number;
  /** How far the comparison has come, 0 to 1; null while that is unknown. */
  readonly share: number | null;
  find(least: number): Promise<void>;
  cancel(): void;
}
export type DuplicatesStore = StoreApi<DuplicatesState>;

/** Two texts that differ in a word or two; chosen on the examples and on repeated questions of SQuAD. */
export const DEFAULT_LEAST = 0.9;

/** Nothing was searched. Other texts clear what was. */
export function createDuplicatesStore(analysis: Analysis, collection: CollectionStore): DuplicatesStore {
  const store = createStore<DuplicatesState>((set) => {
    const attempts = createAttempts(set);
    return {
      ...AT_REST,
      least: DEFAULT_LEAST,
      groups: null,
      compared: 0,
      share: null,
      find(least) {
        set({ least, share: null });
        return attempts.run(async (signal) => {
          const compared = collection.getState().collected?.count ?? 0;
          const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) =>
            set({ share: done / total });
          const { groups } = await analysis.run('duplicates', { least }, { signal, onProgress });
          set({ groups, compared });
        });
      },
      cancel: attempts.cancel,
    };
  });
  collection.subscribe(({ collected }, before) => {
    if (collected?.table !== before.collected?.table) store.setState({ ...AT_REST, groups: null, compared: 0 });
  });
  return store;
}

/** The texts without their repetitions: of each group the first stays. */
export function withoutRepetitions(count: number, groups: readonly DuplicateGroup[]): number[] {
  const repeated = new Set(groups.flatMap(({ members }) => members.slice(1)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => !repeated.has(index));
}
