import { describe, expect, it } from 'vitest';
import { ask, type AskClient, otherReading } from '../../../src/client/ask.ts';
import type { CompleteResponse } from '../../../src/contract/complete.ts';
import type { Client } from '../../../src/client/client.ts';
import type { PredictResponse } from '../../../src/contract/likelihood.ts';

/** A model that writes `words`, and gives each target the log-probability of `likely`, else −9. */
function createModel(
  words: readonly string[],
  likely: Readonly<Record<string, number>> = {},
  calibrated: ReadonlyMap<string, number> = new Map(),
) {
  const explained: unknown[] = [];
  const asked: unknown[] = [];
  const completion: CompleteResponse = {
    model_version: 'm 1',
    completions: [
      {
        index: 0,
        completion: words.join(''),
        log_probs: words.map((word) => ({ [word]: -0.1 })),
        finish_reason: 'end_of_text',
      },
    ],
    num_tokens_prompt_total: 1,
    num_tokens_generated: words.length,
  };
  const rated = (target: string): PredictResponse => ({
    model_version: 'm 1',
    continuation: { text: '', tokens: [] },
    target: { log_probability: likely[target] ?? -9, tokens: [] },
  });
  const client: AskClient & Pick<Client, 'modelSettings'> = {
    modelSettings: () => Promise.resolve({ ok: true, value: [...calibrated].map(settingsOf) }),
    complete(body, { onProgress } = {}) {
      asked.push(body);
      for (const word of words)
        onProgress?.({ phase: 'run', done: 1, total: 1, written: [{ index: 0, completion: word }] });
      return Promise.resolve({ ok: true, value: completion });
    },
    predict(body) {
      asked.push(body);
      return Promise.resolve({ ok: true, value: rated(body.target ?? '') });
    },
    explain(body) {
      explained.push(body);
      return Promise.resolve({ ok: true, value: { model_version: 'm 1', explanations: [] } });
    },
  };
  return { client, explained, asked };
}

/** A model of the service, and the factor of its calibration. */
function settingsOf([name, control_factor]: readonly [string, number]) {
  const facts = {
    name,
    description: '',
    max_context_size: 8,
    prompt_template: '',
    tier: 'steered',
    reason: null,
  } as const;
  const no = { aligned: false, semantic_embedding: false, advanced_sampling: false, multimodal: false };
  return { ...facts, ...no, chat: false, qa: false, control_factor };
}

describe('ask', () => {
  it('explains the first line of the model’s own answer with the settings of the page, and tells of it as it is written', async () => {
    const { client, explained } = createModel([' Mario', "'s", '\n', 'Time']);
    const written: string[] = [];
    const answer = await ask(client, { model: 'm', prompt: 'a' }, { onWritten: (text) => written.push(text) });
    expect(answer).toMatchObject({ ok: true, value: { target: " Mario's" } });
    expect(written).toEqual([' Mario', " Mario's", " Mario's", " Mario's"]);
    expect(explained).toEqual([
      {
        model: 'm',
        prompt: 'a',
        target: " Mario's",
        prompt_granularity: { type: 'word' },
        control_factor: 0,
        control_log_additive: true,
      },
    ]);
  });

  it('finds the target where and how it is then explained', async () => {
    const { client, explained, asked } = createModel([' b']);
    const computed = { hosting: 'acme', steering_concepts: [{ id: 'c', strength: 1 }], control_log_additive: false };
    for (const target of ['', 'a']) await ask(client, { model: 'm', prompt: 'a', target, ...computed });
    expect(asked).toHaveLength(3); // the answer, and two readings of a target
    for (const body of asked.concat(explained)) expect(body).toMatchObject({ model: 'm', prompt: 'a', ...computed });
  });

  it('takes a target as it is written where the model tells no likelihoods', async () => {
    const { client, explained } = createModel([]);
    const problem = { status: 400, code: 'MISSING_CAPABILITY', message: 'x' };
    const ofServer = { ...client, predict: () => Promise.resolve({ ok: false as const, problem }) };
    const answer = await ask(ofServer, { model: 'm', prompt: 'a', target: 'Mario' });
    expect(answer).toMatchObject({ ok: true, value: { target: 'Mario' } });
    expect(explained).toMatchObject([{ target: 'Mario' }]);
  });

  it('dims as the embedded model was measured, and hides sections from others', async () => {
    const { client, explained } = createModel([' b']);
    for (const model of ['lightwell-base', 'owner/other']) await ask(client, { model, prompt: 'a' });
    expect(explained).toMatchObject([
      { control_factor: 0.1, control_log_additive: false },
      { control_factor: 0, control_log_additive: true },
    ]);
  });

  it('dims as the service has measured for the model, unless the request says a factor', async () => {
    const { client, explained } = createModel([' b'], {}, new Map([['owner/other', 0.1]]));
    await ask(client, { model: 'owner/other', prompt: 'a' });
    await ask(client, { model: 'owner/other', prompt: 'a', control_factor: 0 });
    expect(explained).toMatchObject([
      { control_factor: 0.1, control_log_additive: false },
      { control_factor: 0, control_log_additive: true },
    ]);
  });

  it.each([
    ['negative', { ' negative': -1 }, ' negative'],
    [' negative', { ' negative': -1 }, ' negative'],
    [' 7', { '7': -1 }, '7'],
    ['sure', { sure: 0 }, 'sure'],
    ['\nb', { ' b': -1 }, '\nb'],
  ])('takes %j as the model expects it', async (target, likely, taken) => {
    const { client } = createModel([], likely);
    expect(await ask(client, { model: 'm', prompt: 'a', target })).toMatchObject({ value: { target: taken } });
    expect(await ask(client, { model: 'm', prompt: 'a', target }, { isExact: true })).toMatchObject({
      value: { target },
    });
  });

  it('adds the logarithm above 1, splits pictures by token with similar tiles, and keeps the fields of the body', async () => {
    const { client, explained } = createModel([' b']);
    const prompt = [{ type: 'image' as const, data: '' }];
    await ask(client, { model: 'm', prompt, control_factor: 2, prompt_granularity: { type: 'sentence' } });
    expect(explained).toMatchObject([
      {
        control_factor: 2,
        control_log_additive: true,
        contextual_control_threshold: 0.7,
        prompt_granularity: { type: 'sentence' },
      },
    ]);
  });

  it.each([[[]], [['\n', ' ']], [['\uFFFD']]])('says that %j is no answer', async (words) => {
    const { client, explained } = createModel(words);
    expect(await ask(client, { model: 'm', prompt: 'a' })).toMatchObject({ ok: false, problem: { code: 'NO_ANSWER' } });
    expect(explained).toEqual([]);
  });
});

it('otherReading adds the space, removes it, or leaves a text that begins otherwise', () => {
  expect([otherReading('a'), otherReading(' a'), otherReading('  a'), otherReading('\na')]).toEqual([
    ' a',
    'a',
    null,
    null,
  ]);
});
