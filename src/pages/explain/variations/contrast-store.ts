import { influenceOf, type Influence } from '../../../explanations/influence.ts';
import { runVariation, type VariationPhase } from './variations-store.ts';
import { memoized } from '../../../stores/memoized.ts';
import { modelAnswerOf, isModelChoice, type Outcome } from '../../../explanations/outcome.ts';
import type { ExplainSource } from '../explain-store.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createLatest } from '../../../stores/latest-request.ts';
import type { CallOptions } from '../../../client/client.ts';
import { explainRequestOf } from '../../../explanations/question.ts';
import type { ExplanationItem } from '../../../contract/explain.ts';

/** Why the target and not the foil. */
export interface FoilContrast {
  readonly foil: string;
  /** Support for the target minus support for the foil, as influence on one word. */
  readonly difference: Influence;
  /** Support for the foil, nats, by the id of the section. */
  readonly ofFoil: ReadonlyMap<string, number>;
}

/** The target of an outcome beside another target. */
interface ContrastState {
  readonly foil: string;
  readonly phase: VariationPhase<FoilContrast>;
  edit(foil: string): void;
  /** Explains both; an older request is aborted. Settles when this one, or a newer one, has ended. */
  run(): Promise<void>;
}

/**
 * The one store of a complete outcome: a contrast lasts as long as the outcome. The first foil is the model's own continuation,
 * where that is another text.
 */
export const contrastStoreOf = memoized((outcome: Outcome, source: ExplainSource): StoreApi<ContrastState> => {
  const latest = createLatest();
  return createStore<ContrastState>((set, get) => ({
    foil: firstFoil(outcome),
    phase: { kind: 'idle' },
    edit: (foil) => set({ foil }),
    run: () =>
      runVariation(
        latest,
        (call) => requestContrast(outcome, get().foil, source, call),
        (phase) => set({ phase }),
      ),
  }));
});

function firstFoil({ prediction, question }: Outcome): string {
  if (!prediction || isModelChoice(prediction)) return '';
  const { text, isBroken } = modelAnswerOf(prediction);
  return isBroken || text === question.target ? '' : text;
}

async function requestContrast(
  outcome: Outcome,
  foil: string,
  { client, model }: ExplainSource,
  call: CallOptions,
): Promise<VariationPhase<FoilContrast>> {
  const body = { ...explainRequestOf(outcome.question, model), target_granularity: 'complete' as const, foil };
  const response = await client.explain(body, call);
  if (!response.ok) return { kind: 'failed', problem: response.problem };
  const { contrast, model_version: modelVersion } = response.value;
  if (modelVersion !== outcome.modelVersion) return { kind: 'other model', modelVersion };
  if (!contrast) throw new TypeError('the service answered without a contrast');
  const { prompt, target, settings } = outcome.question;
  const influenceIn = (items: ExplanationItem[]) =>
    influenceOf([{ target, items }], { prompt, target, isStrengthened: settings.factor > 1 });
  const ofFoil = new Map(influenceIn(contrast.foil_items).sections.map(({ id, total }) => [id, total]));
  return { kind: 'done', value: { foil, difference: influenceIn(contrast.items), ofFoil } };
}
