import { createStore, type StoreApi } from 'zustand/vanilla';
import { ask } from '../explain/explain-store.ts';
import type { Phase } from '../explain/opening/opened.ts';
import type { Outcome } from '../explain/outcome.ts';
import { missingIn, type Question } from '../explain/question.ts';
import type { AnswerSource } from './variations-store.ts';

/** A second question beside a result: the result is A, the second question B. */
export interface CompareState {
  readonly question: Question;
  readonly model: string;
  /** The model that was asked last; null before. */
  readonly askedModel: string | null;
  readonly phase: Phase;
  edit(change: Partial<Pick<Question, 'prompt' | 'target'>>): void;
  setFactor(factor: number): void;
  choose(model: string): void;
  /** Asks question B; an older request is aborted. Settles when its answer, or a newer one, has come. */
  run(): Promise<void>;
  /** Stops the request. */
  cancel(): void;
}
export type CompareStore = StoreApi<CompareState>;

/** A store in which B asks the same as A. */
export function createCompareStore(a: Outcome, source: AnswerSource): CompareStore {
  let current: AbortController | null = null;
  return createStore<CompareState>((set, get) => {
    const cancel = () => {
      current?.abort();
      current = null;
      if (get().phase.kind === 'running') set({ phase: { kind: 'idle' } });
    };
    const run = async () => {
      const { question: asked, model } = get();
      if (missingIn(asked)) return;
      cancel();
      const controller = new AbortController();
      current = controller;
      set({ askedModel: model, phase: { kind: 'running', asked, progress: null, partial: null } });
      const { client } = source;
      const answer = await ask({ client, model }, asked, controller.signal, (progress, partial) =>
        set({ phase: { kind: 'running', asked, progress, partial } }),
      );
      if (controller.signal.aborted) return;
      current = null;
      if ('problem' in answer) set({ phase: { kind: 'failed', problem: answer.problem } });
      else set({ phase: { kind: 'done', value: answer.outcome } });
    };
    return {
      question: a.question,
      model: source.model,
      askedModel: null,
      phase: { kind: 'idle' },
      edit: (change) => set({ question: { ...get().question, ...change } }),
      setFactor: (factor) => set(({ question }) => ({ question: withFactor(question, factor) })),
      choose: (model) => set({ model }),
      run,
      cancel,
    };
  });
}

function withFactor(question: Question, factor: number): Question {
  return { ...question, settings: { ...question.settings, factor } };
}

const stores = new WeakMap<Outcome, CompareStore>();

/** The one store of a result A: question B and its answer stay where the page is left and comes back. */
export function comparedWith(a: Outcome, source: AnswerSource): CompareStore {
  const known = stores.get(a);
  if (known) return known;
  const store = createCompareStore(a, source);
  stores.set(a, store);
  return store;
}
