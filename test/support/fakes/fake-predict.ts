import type { Answer, CallOptions, Client } from '../../../src/client/client.ts';
import type { PredictBody, PredictResponse } from '../../../src/contract/likelihood/predict.ts';
import { PREDICTION } from './fake-explain.ts';

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
  const client: Pick<Client, 'evaluate' | 'explain' | 'predict'> = {
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
