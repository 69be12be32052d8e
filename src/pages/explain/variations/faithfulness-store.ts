import { createVariationRun, type VariationPhase, type VariationRun } from './variations-store.ts';
import {
  measureFaithfulness,
  type Faithfulness,
  OTHER_MODEL,
  MeasurementError,
} from '../../../client/faithfulness/faithfulness.ts';
import { memoized } from '../../../stores/memoized.ts';
import { factorOf, type Outcome } from '../../../explanations/outcome.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LatestCall } from '../../../stores/latest-request.ts';
import type { ModelSource } from '../../../client/client.ts';
import type { Progress } from '../../../contract/progress.ts';
import { recordedExplanations } from '../../../explanations/export.ts';
import { explainRequestOf } from '../../../explanations/question.ts';

interface FaithfulnessState extends VariationRun<Faithfulness> {
  /** Whether there are enough sections, and they were changed at all. */
  readonly canRun: boolean;
}

/** `measureFaithfulness` refuses fewer sections. */
const MIN_SECTIONS = 4;

/** The one store of a complete outcome: a test and its figures last as long as the outcome. The model is read at each run. */
export const faithfulnessStoreOf = memoized(
  (outcome: Outcome, source: ModelSource<'evaluate'>): StoreApi<FaithfulnessState> =>
    createStore<FaithfulnessState>((set) => ({
      ...createVariationRun<Faithfulness>(set, (call) => tested(outcome, source, call)),
      canRun: outcome.influence.sections.length >= MIN_SECTIONS && factorOf(outcome) !== 1,
    })),
);

async function tested(
  outcome: Outcome,
  { client, model }: ModelSource<'evaluate'>,
  { signal, onProgress }: LatestCall<[Progress]>,
): Promise<VariationPhase<Faithfulness>> {
  const response = { explanations: recordedExplanations(outcome), model_version: outcome.modelVersion ?? '' };
  try {
    const value = await measureFaithfulness(explainRequestOf(outcome.question, model, outcome.upstream), response, {
      client,
      signal,
      onProgress: (done, total) => onProgress({ phase: 'run', done, total }),
    });
    return { kind: 'done', value };
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    const { problem } = error;
    return problem.code === OTHER_MODEL ? { kind: 'other model', modelVersion: '' } : { kind: 'failed', problem };
  }
}
