import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Outcome } from '../../../explanations/outcome.ts';
import type { ExplainSource } from '../explain-store.ts';
import type { RecordStore } from './record-store.ts';

/** Id of the button that opens a comparison; it takes the focus when that is closed. */
export const COMPARE_BUTTON = 'compare-with';

type Panel = 'what-if' | 'contrast' | 'faithfulness';

/** Which variations of the outcome are open. Each has a store of its own, which loads with it. */
interface VariationsState {
  readonly source: ExplainSource;
  /** What is open below the outcome. */
  readonly panel: Panel | null;
  /** The outcome that another question is compared with; null without a comparison. */
  readonly first: Outcome | null;
  /** The check of a dropped record; null before the first. */
  readonly records: RecordStore | null;
  /** How many comparisons were opened. */
  readonly comparisons: number;
  /** Opens a panel instead of another one; closes one that is open. */
  toggle(panel: Panel): void;
  compare(first: Outcome | null): void;
  /** @returns true once after each `compare`: the comparison then takes the focus */
  arrive(): boolean;
}

/** Nothing is open. */
export function createVariationsStore(source: ExplainSource): StoreApi<VariationsState> {
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
    arrive() {
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
  }));
}
