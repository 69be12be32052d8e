import type { PredictBody } from '../../../contract/likelihood.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ExplainSource } from '../explain-store.ts';
import type { Outcome, Prediction } from '../../../explanations/outcome.ts';
import { predictBodyOf } from '../../../explanations/request.ts';
import { createLatest, problemOf } from '../../../stores/latest-request.ts';
import { memoized } from '../../../stores/memoized.ts';
import type { Section } from '../../../explanations/influence.ts';
import type { VariationPhase } from './variations-store.ts';

/** Factors on the attention to sections, by their ids; a section that is not among them has the factor 1. */
type Factors = ReadonlyMap<string, number>;

/** Factors on parts of one outcome's prompt, and the prediction with them. */
interface WhatIfState {
  readonly factors: Factors;
  /** The prediction with these factors; while `isComputing`, with earlier ones; `idle` where no factor is changed, or none is there yet. */
  readonly changed: VariationPhase<Prediction>;
  readonly isComputing: boolean;
  /** Sets the factor of a section; 1 removes its control. */
  change(id: string, factor: number): void;
  reset(): void;
  retry(): void;
}

const NONE = { kind: 'idle' } as const;

/** A request may still end within this time after a newer value was set, ms. */
export const GRACE_MS = 250;

/** The one store of a complete outcome: changes last as long as the outcome, also while another page is open. */
export const whatIfStoreOf = memoized((outcome: Outcome, source: ExplainSource): StoreApi<WhatIfState> => {
  const latest = createLatest({ graceMs: GRACE_MS });
  return createStore<WhatIfState>((set, get) => {
    const put = async (factors: Factors) => {
      const isChanged = factors.size > 0;
      const { changed: before } = get();
      set({ factors, changed: isChanged && before.kind === 'done' ? before : NONE, isComputing: isChanged });
      if (!isChanged) return latest.cancel();
      const changed = await latest.run<VariationPhase<Prediction>>({
        request: ({ signal }) => requestPrediction(outcome, factors, source, signal),
        onError: (error) => ({ kind: 'failed', problem: problemOf(error) }),
      });
      const isNewest = get().factors === factors;
      if (changed && (isNewest || changed.kind === 'done')) set({ changed, isComputing: !isNewest }); // a failure of an older request is not shown
    };
    return {
      factors: new Map(),
      changed: NONE,
      isComputing: false,
      change(id, factor) {
        const factors = new Map(get().factors);
        if (factor === 1) factors.delete(id);
        else factors.set(id, factor);
        void put(factors);
      },
      reset: () => void put(new Map()),
      retry: () => void put(get().factors),
    };
  });
});
export type WhatIfStore = ReturnType<typeof whatIfStoreOf>;

async function requestPrediction(
  outcome: Outcome,
  factors: Factors,
  { client, model }: ExplainSource,
  signal: AbortSignal,
): Promise<VariationPhase<Prediction>> {
  const response = await client.predict(bodyWith(outcome, factors, model), { signal });
  if (!response.ok) return { kind: 'failed', problem: response.problem };
  const { model_version: modelVersion, ...prediction } = response.value;
  return modelVersion === outcome.modelVersion
    ? { kind: 'done', value: prediction }
    : { kind: 'other model', modelVersion };
}

/** The request for the prediction with these factors: that of the outcome, and a control for each of them. */
export function bodyWith({ question, influence }: Outcome, factors: Factors, model: string): PredictBody {
  const body = predictBodyOf(question, model);
  const isChanged = ({ id }: Section) => factors.has(id);
  const effect = (id: string) => ({ factor: factors.get(id) ?? 1, token_overlap: question.settings.overlap });
  const onText = influence.prompt.filter(isChanged).map(({ id, start, length }) => ({ start, length, ...effect(id) }));
  const onPicture = influence.picture.filter(isChanged).map(({ id, rect }) => ({ rect, ...effect(id) }));
  if (onText.length + onPicture.length === 0) return body;
  const items = typeof body.prompt === 'string' ? [{ type: 'text' as const, data: body.prompt }] : body.prompt;
  const prompt = items.map((item) => {
    if (item.type === 'text') return { ...item, controls: onText };
    return item.type === 'image' ? { ...item, controls: onPicture } : item;
  });
  return { ...body, prompt };
}
