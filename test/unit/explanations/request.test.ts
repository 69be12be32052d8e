import { describe, expect, it } from 'vitest';
import type { PredictBody } from '../../../src/contract/likelihood.ts';
import { requestExplanation } from '../../../src/explanations/request.ts';
import { DEFAULT_QUESTION_SETTINGS, explainRequestOf } from '../../../src/explanations/question.ts';
import { createExplainStore } from '../../../src/pages/explain/explain-store.ts';
import { createFakeMemory } from '../../support/fakes/fake-memory.ts';
import { answer, createFakeClient } from '../../support/fakes/fake-explain.ts';

type ExplainCall = Parameters<ReturnType<typeof createFakeClient>['client']['explain']>;

const UPSTREAM = 'https://models.example/v1';
const settings = { ...DEFAULT_QUESTION_SETTINGS, accuracy: 'quick' as const };
const QUESTION = { picture: null, prompt: 'ab', target: ' a', settings };

/** A client that writes down what it is asked. */
function setUp() {
  const { client } = createFakeClient();
  const explained: ExplainCall[] = [];
  const predicted: PredictBody[] = [];
  const recording: typeof client = {
    ...client,
    explain: async (...call) => {
      explained.push(call);
      return answer(1);
    },
    predict: (body) => {
      predicted.push(body);
      return client.predict(body);
    },
  };
  return { client: recording, explained, predicted };
}

describe('requestExplanation', () => {
  it('asks a server for deletions alone, without a budget and a prediction', async () => {
    const { client, explained, predicted } = setUp();
    const found = await requestExplanation(client, QUESTION, { model: 'm', upstream: UPSTREAM });
    expect(explained.map(([body]) => body)).toEqual([explainRequestOf(QUESTION, 'm', UPSTREAM)]);
    expect(explained[0]?.[1]).not.toHaveProperty('budget');
    expect(predicted).toEqual([]);
    expect(found).toMatchObject({ ok: true, value: { upstream: UPSTREAM, prediction: null } });
  });

  it('asks the page with a budget, and for the prediction', async () => {
    const { client, explained, predicted } = setUp();
    const found = await requestExplanation(client, QUESTION, { model: 'm', upstream: null });
    expect(explained.map(([body]) => body)).toEqual([explainRequestOf({ ...QUESTION, target: ' a' }, 'm')]);
    expect(explained[0]?.[1]).toMatchObject({ budget: 'auto' });
    expect(predicted.length).toBeGreaterThan(0);
    expect(found).toMatchObject({ ok: true, value: { upstream: null } });
  });

  it('of the Explain page keeps its model where another one becomes the default meanwhile', async () => {
    const { client, explained, predicted } = setUp();
    const [models, servers] = [
      ['first', 'second', 'third'],
      [null, UPSTREAM],
    ];
    const source = {
      client,
      get model() {
        return models.shift() ?? 'last';
      },
      get upstream() {
        return servers.shift() ?? null;
      },
    };
    const { getState } = createExplainStore(source, createFakeMemory());
    getState().adjust(settings);
    await getState().run();
    expect(explained.map(([{ model, method }]) => [model, method])).toEqual([['first', undefined]]);
    expect(predicted.map(({ model }) => model)).toEqual(['first']);
    expect(getState().outcome).toMatchObject({ upstream: null, modelVersion: 'm 1' });
  });
});
