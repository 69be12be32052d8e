import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Outcome } from '../explain/outcome.ts';
import type { ExplainStoreOptions } from '../explain/explain-store.ts';
import type { RecordStore } from './record-store.ts';

/** Where the answers of variations come from; the model is read at each request. */
export type AnswerSource = Pick<ExplainStoreOptions, 'client' | 'model'>;

/** What can be opened below a result, one at a time. */
export type Panel = 'what-if' | 'contrast' | 'faithfulness';

/** Which variations of the result are open. What they hold is in stores of their own, which load with them. */
export interface VariationsState {
  readonly source: AnswerSource;
  readonly panel: Panel | null;
  /** The result that another question is compared with; null: none. */
  readonly first: Outcome | null;
  /** The check of a dropped record; null: none was dropped. It loads with the first. */
  readonly records: RecordStore | null;
  /** How many comparisons were opened. */
  readonly comparisons: number;
  /** Opens a panel in place of another; closes one that is open. */
  toggle(panel: Panel): void;
  compare(first: Outcome | null): void;
  keepRecords(records: RecordStore): void;
  /** @returns true once after each `compare`: the page then leads there */
  arrive(): boolean;
}
export type VariationsStore = StoreApi<VariationsState>;

/** Nothing is open. */
export function createVariationsStore(source: AnswerSource): VariationsStore {
  let isNew = false;
  return createStore<VariationsState>((set) => ({
    source,
    panel: null,
    first: null,
    records: null,
    comparisons: 0,
    toggle: (wanted) => set(({ panel }) => ({ panel: panel === wanted ? null : wanted })),
    compare(first) {
      isNew = first !== null;
      set(({ comparisons }) => ({ first, comparisons: comparisons + (isNew ? 1 : 0) }));
    },
    keepRecords: (records) => set({ records }),
    arrive() {
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
  }));
}
