import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Problem } from '../../../client/client.ts';
import {
  type Faithfulness,
  measureFaithfulness,
  MeasurementError,
  OTHER_MODEL,
} from '../../../client/faithfulness/faithfulness.ts';
import type { Outcome } from '../../../explanations/outcome.ts';
import { explainRequestOf } from '../../../explanations/question.ts';
import { createLatest, problemOf } from '../../../stores/latest-request.ts';
import { memoized } from '../../../stores/memoized.ts';
import { recordedExplanations } from '../../../explanations/export.ts';

type TestPhase =
  | { readonly kind: 'idle' }
  /** Counts calls. */
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly faithfulness: Faithfulness }
  /** `isOtherModel`: another model than that of the outcome has answered. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly isOtherModel: boolean };

/** The test of one outcome. */
interface FaithfulnessState {
  readonly phase: TestPhase;
  /** Whether there are enough sections, and they were changed at all. */
  readonly canRun: boolean;
  /** Settles when the test has ended. */
  run(): Promise<void>;
  cancel(): void;
}

/** `measureFaithfulness` refuses fewer sections. */
const MIN_SECTIONS = 4;

/** A store for a complete outcome; the model is read at each run. */
export function createFaithfulnessStore(
  outcome: Outcome,
  source: { readonly client: Pick<Client, 'evaluate'>; readonly model: string },
): StoreApi<FaithfulnessState> {
  const latest = createLatest();
  const { influence, question, modelVersion } = outcome;
  return createStore<FaithfulnessState>((set) => ({
    phase: { kind: 'idle' },
    canRun: influence.sections.length >= MIN_SECTIONS && question.settings.factor !== 1,
    async run() {
      const onProgress = (done: number, total: number) => set({ phase: { kind: 'running', done, total } });
      onProgress(0, 1);
      const response = { explanations: recordedExplanations(outcome), model_version: modelVersion ?? '' };
      const phase = await latest.run<TestPhase, [number, number]>({
        request: async (call) => ({
          kind: 'done',
          faithfulness: await measureFaithfulness(explainRequestOf(question, source.model), response, {
            client: source.client,
            ...call,
          }),
        }),
        onProgress,
        onError: failed,
      });
      if (phase) set({ phase });
    },
    cancel() {
      latest.cancel();
      set(({ phase }) => (phase.kind === 'running' ? { phase: { kind: 'idle' } } : {}));
    },
  }));
}

function failed(error: unknown): TestPhase {
  const problem = error instanceof MeasurementError ? error.problem : problemOf(error);
  return { kind: 'failed', problem, isOtherModel: problem.code === OTHER_MODEL };
}

/** The one store of an outcome: a test and its figures last as long as the outcome. */
export const faithfulnessStoreOf = memoized(createFaithfulnessStore);
