import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Outcome } from '../../../explanations/outcome.ts';
import type { ExplainSource } from '../explain-store.ts';
import type { Problem } from '../../../client/client.ts';
import type { Verification } from '../../../client/record.ts';
import { createLatest, type LatestCall, problemOf } from '../../../stores/latest-request.ts';
import type { Progress } from '../../../contract/progress.ts';

/** Id of the button that opens a comparison; it takes the focus when that is closed. */
export const COMPARE_BUTTON = 'compare-with';

/** What a variation of an outcome is doing. */
export type VariationPhase<Value> =
  | { readonly kind: 'idle' }
  /** Counts forward passes, or calls. */
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** Another model than that of the outcome has answered, so that the two cannot be compared. */
  | { readonly kind: 'other model'; readonly modelVersion: string };

/** The request of a variation. */
export interface VariationRun<Value> {
  readonly phase: VariationPhase<Value>;
  /** Makes the request; an older one is aborted. Settles when this one, or a newer one, has ended. */
  run(): Promise<void>;
  /** Aborts the request, and forgets its result. */
  cancel(): void;
}

/** The part of a store that makes a variation. @param set  puts the phase into the store */
export function createVariationRun<Value>(
  set: (change: { readonly phase: VariationPhase<Value> }) => void,
  request: (call: LatestCall<[Progress]>) => Promise<VariationPhase<Value>>,
): VariationRun<Value> {
  const latest = createLatest();
  return {
    phase: { kind: 'idle' },
    async run() {
      set({ phase: { kind: 'running', done: 0, total: 1 } });
      const phase = await latest.run<VariationPhase<Value>, [Progress]>({
        request,
        onProgress: ({ phase: step, done, total }) =>
          step === 'run' && set({ phase: { kind: 'running', done, total } }),
        onError: (error) => ({ kind: 'failed', problem: problemOf(error) }),
      });
      if (phase) set({ phase });
    },
    cancel() {
      latest.cancel();
      set({ phase: { kind: 'idle' } });
    },
  };
}

/** A dropped record, computed again. */
export interface RecordState {
  /** Of its file; empty before the first. */
  readonly name: string;
  readonly phase: VariationPhase<Verification>;
  /** Settles when the check is over; an older one is aborted. */
  check(file: { readonly name: string; readonly text: string }): Promise<void>;
  close(): void;
}

type Panel = 'what-if' | 'faithfulness';

/** Which variations of the outcome are open. Each has a store of its own, which loads with it. */
interface VariationsState {
  readonly source: ExplainSource;
  /** As `source`, also where a server has the model. */
  readonly anySource: ExplainSource;
  readonly panel: Panel | null;
  /** The outcome that another question is compared with; null without a comparison. */
  readonly first: Outcome | null;
  /** The check of a dropped record; null before the first. */
  readonly records: StoreApi<RecordState> | null;
  readonly comparisons: number;
  /** Opens a panel instead of another one; closes one that is open. */
  toggle(panel: Panel): void;
  compare(first: Outcome | null): void;
  /** @returns true once after each `compare`: the comparison then takes the focus */
  arrive(): boolean;
}

/** Nothing is open. */
export function createVariationsStore(source: ExplainSource, anySource = source): StoreApi<VariationsState> {
  let isNew = false;
  return createStore<VariationsState>((set) => ({
    source,
    anySource,
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
