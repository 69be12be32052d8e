import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../client/client.ts';
import type { ExplanationItem } from '../../contract/explain.ts';
import { type Influence, influenceOf } from '../explain/influence.ts';
import type { Outcome } from '../explain/outcome.ts';
import { isOwnChoice, ownAnswerOf } from '../explain/prediction.ts';
import { requestOf } from '../explain/question.ts';
import type { AnswerSource } from './variations-store.ts';

/** Why the target and not the foil. */
export interface Contrasted {
  readonly foil: string;
  /** Support for the target minus support for the foil, as influence on one word. */
  readonly difference: Influence;
  /** Support for the foil, nats, by the id of the section. */
  readonly ofFoil: ReadonlyMap<string, number>;
}

/** How far a contrast has come. */
export type ContrastPhase =
  | { readonly kind: 'idle' }
  /** @see Progress */
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly contrasted: Contrasted }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** It comes from another model than the result, so that the two cannot be compared. */
  | { readonly kind: 'other model'; readonly modelVersion: string };

/** The target of one result beside another. */
export interface ContrastState {
  readonly foil: string;
  readonly phase: ContrastPhase;
  edit(foil: string): void;
  /** Explains both; an older request is aborted. Settles when its answer, or a newer one, has come. */
  run(): Promise<void>;
}
export type ContrastStore = StoreApi<ContrastState>;

/** A store over a complete result; the foil is what the model says itself where that is another text. */
export function createContrastStore(outcome: Outcome, source: AnswerSource): ContrastStore {
  let current: AbortController | null = null;
  return createStore<ContrastState>((set, get) => ({
    foil: firstFoil(outcome),
    phase: { kind: 'idle' },
    edit: (foil) => set({ foil }),
    async run() {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      set({ phase: { kind: 'running', done: 0, total: 1 } });
      const phase = await contrasted(outcome, get().foil, source, {
        signal: controller.signal,
        onProgress: (done, total) => set({ phase: { kind: 'running', done, total } }),
      });
      if (!controller.signal.aborted) set({ phase });
    },
  }));
}

function firstFoil({ prediction, question }: Outcome): string {
  if (!prediction || isOwnChoice(prediction)) return '';
  const { text, isBroken } = ownAnswerOf(prediction);
  return isBroken || text === question.target ? '' : text;
}

interface Call {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

async function contrasted(
  outcome: Outcome,
  foil: string,
  { client, model }: AnswerSource,
  { signal, onProgress }: Call,
): Promise<ContrastPhase> {
  const body = { ...requestOf(outcome.question, model), target_granularity: 'complete' as const, foil };
  try {
    const answer = await client.explain(body, {
      signal,
      onProgress: ({ phase, done, total }) => phase === 'run' && !signal.aborted && onProgress(done, total),
    });
    if (!answer.ok) return { kind: 'failed', problem: answer.problem };
    const { contrast, model_version: modelVersion } = answer.value;
    if (modelVersion !== outcome.modelVersion) return { kind: 'other model', modelVersion };
    if (!contrast) throw new TypeError('the service answered without a contrast');
    const of = (items: readonly ExplanationItem[]) => influenceIn(outcome, items);
    const ofFoil = new Map(of(contrast.foil_items).sections.map(({ id, total }) => [id, total]));
    return { kind: 'done', contrasted: { foil, difference: of(contrast.items), ofFoil } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', problem: { status: 0, code: 'CONNECTION', message } };
  }
}

function influenceIn({ question }: Outcome, items: readonly ExplanationItem[]): Influence {
  const { prompt, target, settings } = question;
  return influenceOf([{ target, items: [...items] }], { prompt, target, isStrengthened: settings.factor > 1 });
}

const stores = new WeakMap<Outcome, ContrastStore>();

/** The one store of a result: a contrast stays while the result does. */
export function contrastOf(outcome: Outcome, source: AnswerSource): ContrastStore {
  const known = stores.get(outcome);
  if (known) return known;
  const store = createContrastStore(outcome, source);
  stores.set(outcome, store);
  return store;
}
