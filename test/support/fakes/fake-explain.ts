import type { Answer, CallOptions, Client } from '../../../src/client/client.ts';
import type { EvaluateResponse, PredictBody, PredictResponse } from '../../../src/contract/likelihood.ts';
import type { CompleteResponse } from '../../../src/contract/complete.ts';
import type { ExplainResponse, Explanation, PartialExplanation } from '../../../src/contract/explain.ts';
import { createExplainStore } from '../../../src/pages/explain/explain-store.ts';
import type { BufferedStorage } from '../../../src/stores/buffered-storage.ts';
import { createFakeMemory } from './fake-memory.ts';

/** A request that waits for its answer. */
export type Asked = { target: string; options: CallOptions; settle(answer: Answer<ExplainResponse>): void };

/** What the stand-in says itself: ` b`, where the target is ` a`. */
export const PREDICTION: PredictResponse = {
  model_version: 'm 1',
  continuation: { text: ' b', tokens: [{ token: ' b', log_probability: Math.log(0.5) }] },
  target: {
    log_probability: Math.log(0.25),
    tokens: [
      {
        token: ' a',
        log_probability: Math.log(0.25),
        alternatives: [{ token: ' b', log_probability: Math.log(0.5) }],
      },
    ],
  },
};

/** How likely the stand-in finds a completion behind any prompt. */
const EVALUATION: EvaluateResponse = {
  model_version: 'm 1',
  message: null,
  num_tokens_prompt_total: 1,
  result: {
    log_probability: -2,
    log_perplexity: 2,
    log_perplexity_per_token: 2,
    log_perplexity_per_character: 1,
    correct_greedy: false,
    token_count: 1,
    character_count: 2,
    completion: ' b',
  },
};

/** What the stand-in writes: ` b`. */
const COMPLETION: CompleteResponse = {
  model_version: 'm 1',
  completions: [{ index: 0, completion: ' b', log_probs: [{ ' b': Math.log(0.5) }], finish_reason: 'end_of_text' }],
  num_tokens_prompt_total: 1,
  num_tokens_generated: 1,
};

/** A client whose explanations the test gives; an aborted call rejects, as `fetch` does. */
export function createFakeClient() {
  const asked: Asked[] = [];
  const client: Pick<Client, 'complete' | 'evaluate' | 'explain' | 'predict'> = {
    complete(_, { onProgress } = {}) {
      onProgress?.({ phase: 'run', done: 1, total: 1, written: [{ index: 0, completion: ' b' }] });
      return Promise.resolve({ ok: true, value: COMPLETION });
    },
    evaluate: () => Promise.resolve({ ok: true, value: EVALUATION }),
    predict: () => Promise.resolve({ ok: true, value: PREDICTION }),
    explain: ({ target }, options = {}) =>
      new Promise((resolve, reject) => {
        asked.push({ target, options, settle: resolve });
        options.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      }),
  };
  /** The request of this index, once it is made. */
  const request = async (at: number): Promise<Asked> => {
    while (!asked[at]) await new Promise((resolve) => setTimeout(resolve));
    return asked[at];
  };
  return { asked, client, request };
}

/** An explanation of one section. */
export function explanation(score: number): Explanation {
  return { target: 'x', items: [{ type: 'text', scores: [{ start: 0, length: 2, score }] }] };
}

/** What progress tells of one section. */
export function partial(score: number): PartialExplanation {
  return { target: 'x', items: [{ type: 'text', scores: [{ start: 0, length: 2, score }] }] };
}

/** A whole answer of one section. */
export function answer(score: number): Answer<ExplainResponse> {
  return { ok: true, value: { model_version: 'm 1', explanations: [explanation(score)] } };
}

/** A store of the explain page over a fake client. */
export function setUpExplain(memory: BufferedStorage = createFakeMemory()) {
  const { asked, client, request } = createFakeClient();
  const store = createExplainStore({ client, model: 'm' }, memory);
  return { asked, memory, request, store, state: store.getState };
}

/** The same with a target of the user's that is taken as it is written, whose explanation is requested at once. */
export function setUpExact(memory?: BufferedStorage) {
  const page = setUpExplain(memory);
  const { edit, adjust, question } = page.state();
  if (question.target !== '') return page; // as it was left
  edit({ target: ' a' });
  adjust({ isTargetExact: true });
  return page;
}

/** A prediction that waits for its answer. */
export interface Predicting {
  readonly body: PredictBody;
  readonly options: CallOptions;
  settle(answer: Answer<PredictResponse>): void;
  fail(error: Error): void;
}

/** A client whose predictions the test gives; an aborted call rejects, as `fetch` does, and other answers never come. */
export function createPredictingClient() {
  const asked: Predicting[] = [];
  const client: Pick<Client, 'complete' | 'evaluate' | 'explain' | 'predict'> = {
    complete: () => new Promise(() => undefined),
    evaluate: () => new Promise(() => undefined),
    explain: () => new Promise(() => undefined),
    predict: (body, options = {}) =>
      new Promise((settle, fail) => {
        asked.push({ body, options, settle, fail });
        options.signal?.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
      }),
  };
  return { asked, client };
}

/** An answer in which the target has this probability. */
export function predicted(probability: number, modelVersion = 'm 1'): Answer<PredictResponse> {
  const target = PREDICTION.target && { ...PREDICTION.target, log_probability: Math.log(probability) };
  return { ok: true, value: { ...PREDICTION, model_version: modelVersion, target } };
}
