import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Problem } from '../../client/client.ts';
import type { Faithfulness } from '../../client/faithfulness/faithfulness.ts';
export type { Faithfulness, Figure, OrderFigures } from '../../client/faithfulness/faithfulness.ts';
import { measureFaithfulness, MeasurementError, OTHER_MODEL } from '../../client/faithfulness/faithfulness.ts';
import type { Outcome } from '../explain/outcome.ts';
import { requestOf } from '../explain/question.ts';
import { explanationsOf } from './recording.ts';

/** How far a test has come. */
export type TestPhase =
  | { readonly kind: 'idle' }
  /** Calls. */
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly faithfulness: Faithfulness }
  /** It may be that another model answers than that of the result. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly isOtherModel: boolean };

/** The test of one result. */
export interface FaithfulnessState {
  readonly phase: TestPhase;
  /** Whether there is enough to test. */
  readonly canRun: boolean;
  /** Settles when the test is over. */
  run(): Promise<void>;
  cancel(): void;
}
export type FaithfulnessStore = StoreApi<FaithfulnessState>;

/** Where calls go; the model is read when the test starts. */
export interface TestSource {
  readonly client: Pick<Client, 'evaluate'>;
  readonly model: string;
}

/** Sections that a test needs at least; `measureFaithfulness` refuses fewer. */
const LEAST_SECTIONS = 4;

/** A store over a complete result; nothing runs before it is asked for. */
export function createFaithfulnessStore(outcome: Outcome, source: TestSource): FaithfulnessStore {
  let current: AbortController | null = null;
  const { influence, question } = outcome;
  return createStore<FaithfulnessState>((set) => ({
    phase: { kind: 'idle' },
    canRun: influence.sections.length >= LEAST_SECTIONS && question.settings.factor !== 1,
    async run() {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      const { signal } = controller;
      set({ phase: { kind: 'running', done: 0, total: 1 } });
      const phase = await tested(outcome, source, signal, (done, total) => {
        if (!signal.aborted) set({ phase: { kind: 'running', done, total } });
      });
      if (!signal.aborted) set({ phase });
    },
    cancel() {
      current?.abort();
      set(({ phase }) => (phase.kind === 'running' ? { phase: { kind: 'idle' } } : {}));
    },
  }));
}

async function tested(
  outcome: Outcome,
  { client, model }: TestSource,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<TestPhase> {
  const response = { explanations: explanationsOf(outcome), model_version: outcome.modelVersion ?? '' };
  try {
    const options = { client, signal, onProgress };
    return {
      kind: 'done',
      faithfulness: await measureFaithfulness(requestOf(outcome.question, model), response, options),
    };
  } catch (error) {
    if (error instanceof MeasurementError) return failed(error.problem);
    const message = error instanceof Error ? error.message : String(error);
    return failed({ status: 0, code: 'CONNECTION', message });
  }
}

function failed(problem: Problem): TestPhase {
  return { kind: 'failed', problem, isOtherModel: problem.code === OTHER_MODEL };
}

const stores = new WeakMap<Outcome, FaithfulnessStore>();

/** The one store of a result: a test goes on, and stays, while the result does. */
export function faithfulnessOf(outcome: Outcome, source: TestSource): FaithfulnessStore {
  const known = stores.get(outcome);
  if (known) return known;
  const store = createFaithfulnessStore(outcome, source);
  stores.set(outcome, store);
  return store;
}
