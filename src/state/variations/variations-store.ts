import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Outcome } from '../explain/outcome.ts';
import type { ExplainStoreOptions } from '../explain/explain-store.ts';

/** Where the answers of variations come from; the model is read at each request. */
export type AnswerSource = Pick<ExplainStoreOptions, 'client' | 'model'>;

/** Which variations of the result are open. What they hold is in stores of their own, which load with them. */
export interface VariationsState {
  readonly source: AnswerSource;
  /** Whether the attention to parts of the prompt can be changed below the result. */
  readonly isTrying: boolean;
  /** The result that another question is compared with; null: none. */
  readonly first: Outcome | null;
  /** How many comparisons were opened. */
  readonly comparisons: number;
  tryOut(isTrying: boolean): void;
  compare(first: Outcome | null): void;
  /** @returns true once after each `compare`: the page then leads there */
  arrive(): boolean;
}
export type VariationsStore = StoreApi<VariationsState>;

/** Nothing is open. */
export function createVariationsStore(source: AnswerSource): VariationsStore {
  let isNew = false;
  return createStore<VariationsState>((set) => ({
    source,
    isTrying: false,
    first: null,
    comparisons: 0,
    tryOut: (isTrying) => set({ isTrying }),
    compare(first) {
      isNew = first !== null;
      set(({ comparisons }) => ({ first, comparisons: comparisons + (isNew ? 1 : 0) }));
    },
    arrive() {
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
  }));
}
