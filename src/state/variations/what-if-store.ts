import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../client/client.ts';
import type { Outcome } from '../explain/outcome.ts';
import type { Prediction } from '../explain/prediction.ts';
import { bodyWith, type Factors } from './controls.ts';
import { createNewest, type Newest } from './newest.ts';
import type { AnswerSource } from './variations-store.ts';

/** What the model says with changed attention. */
export type WhatIfAnswer =
  /** No factor is changed, or no answer has come yet. */
  | { readonly kind: 'none' }
  | { readonly kind: 'answered'; readonly prediction: Prediction }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** It comes from another model than the result, so that the two cannot be compared. */
  | { readonly kind: 'other model'; readonly modelVersion: string };

/** Factors on parts of one result's prompt, and what follows from them. */
export interface WhatIfState {
  /** As they are set now. */
  readonly factors: Factors;
  /** Of the factors as they are set now, or as they were a moment ago while `isComputing`. */
  readonly answer: WhatIfAnswer;
  readonly isComputing: boolean;
  /** Sets the factor of a section; 1 takes its control away. */
  change(id: string, factor: number): void;
  /** Takes all controls away. */
  reset(): void;
  /** Asks again after a failure. */
  retry(): void;
}
export type WhatIfStore = StoreApi<WhatIfState>;

const NONE: WhatIfAnswer = { kind: 'none' };

/** A store over a complete result, without changes. */
export function createWhatIfStore(outcome: Outcome, source: AnswerSource): WhatIfStore {
  return createStore<WhatIfState>((set, get) => {
    const newest = newestAnswer(outcome, source, (answer, isNewest) => set({ answer, isComputing: !isNewest }));
    const put = (factors: Factors) => {
      if (factors.size === 0) newest.stop();
      else newest.ask(factors);
      const { answer } = get();
      const kept = factors.size > 0 && answer.kind === 'answered' ? answer : NONE;
      set({ factors, answer: kept, isComputing: factors.size > 0 });
    };
    return {
      factors: new Map(),
      answer: NONE,
      isComputing: false,
      change(id, factor) {
        const factors = new Map(get().factors);
        if (factor === 1) factors.delete(id);
        else factors.set(id, factor);
        put(factors);
      },
      reset: () => put(new Map()),
      retry: () => put(get().factors),
    };
  });
}

function newestAnswer(
  outcome: Outcome,
  source: AnswerSource,
  onAnswer: (answer: WhatIfAnswer, isNewest: boolean) => void,
): Newest<Factors> {
  return createNewest<Factors, WhatIfAnswer>({
    async request(factors, signal) {
      const said = await source.client.predict(bodyWith(outcome, factors, source.model), { signal });
      if (!said.ok) return { kind: 'failed', problem: said.problem };
      const { model_version: modelVersion, ...prediction } = said.value;
      return modelVersion === outcome.modelVersion
        ? { kind: 'answered', prediction }
        : { kind: 'other model', modelVersion };
    },
    onAnswer(answer, isNewest) {
      if (isNewest || answer.kind === 'answered') onAnswer(answer, isNewest); // a newer value may well be answered
    },
    onError(error) {
      const message = error instanceof Error ? error.message : String(error);
      onAnswer({ kind: 'failed', problem: { status: 0, code: 'CONNECTION', message } }, true);
    },
  });
}

const stores = new WeakMap<Outcome, WhatIfStore>();

/** The one store of a result: changes stay while the result does, also where the page is left and comes back. */
export function whatIfOf(outcome: Outcome, source: AnswerSource): WhatIfStore {
  const known = stores.get(outcome);
  if (known) return known;
  const store = createWhatIfStore(outcome, source);
  stores.set(outcome, store);
  return store;
}
