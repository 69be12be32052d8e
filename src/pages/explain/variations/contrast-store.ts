import { isModelChoice, modelAnswerOf, type Outcome } from '../../../explanations/outcome.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { explainRequestOf } from '../../../explanations/question.ts';
import type { CallOptions, Problem } from '../../../client/client.ts';
import type { ExplanationItem } from '../../../contract/explain.ts';
import type { Progress } from '../../../contract/progress.ts';
import { type Influence, influenceOf } from '../../../explanations/influence.ts';
import type { ExplainSource } from '../explain-store.ts';
import { createLatest, problemOf } from '../../../stores/latest-request.ts';
import { memoized } from '../../../stores/memoized.ts';

/** Why the target and not the foil. */
export interface FoilContrast {
  readonly foil: string;
  /** Support for the target minus support for the foil, as influence on one word. */
  readonly difference: Influence;
  /** Support for the foil, nats, by the id of the section. */
  readonly ofFoil: ReadonlyMap<string, number>;
}

type ContrastPhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly contrast: FoilContrast }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** Another model than that of the outcome has answered, so that the two cannot be compared. */
  | { readonly kind: 'other model'; readonly modelVersion: string };

/** The target of an outcome beside another target. */
interface ContrastState {
  readonly foil: string;
  readonly phase: ContrastPhase;
  edit(foil: string): void;
  /** Explains both; an older request is aborted. Settles when this one, or a newer one, has ended. */
  run(): Promise<void>;
}

/** A store for a complete outcome; the first foil is the model's own continuation, where that is another text. */
export function createContrastStore(outcome: Outcome, source: ExplainSource): StoreApi<ContrastState> {
  const latest = createLatest();
  return createStore<ContrastState>((set, get) => ({
    foil: firstFoil(outcome),
    phase: { kind: 'idle' },
    edit: (foil) => set({ foil }),
    async run() {
      set({ phase: { kind: 'running', done: 0, total: 1 } });
      const phase = await latest.run<ContrastPhase, [Progress]>({
        request: (call) => requestContrast(outcome, get().foil, source, call),
        onProgress: ({ phase, done, total }) => phase === 'run' && set({ phase: { kind: 'running', done, total } }),
        onError: (error) => ({ kind: 'failed', problem: problemOf(error) }),
      });
      if (phase) set({ phase });
    },
  }));
}

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
): Promise<ContrastPhase> {
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
  return { kind: 'done', contrast: { foil, difference: influenceIn(contrast.items), ofFoil } };
}

/** The one store of an outcome: a contrast lasts as long as the outcome. */
export const contrastStoreOf = memoized(createContrastStore);
