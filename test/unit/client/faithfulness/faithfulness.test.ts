import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../../src/client/client.ts';
import type { ExplainBody, ExplainResponse } from '../../../../src/contract/explain.ts';
import {
  type FaithfulnessOptions,
  measureFaithfulness,
  MeasurementError,
} from '../../../../src/client/faithfulness/faithfulness.ts';
import { deleted, mostEvaluations } from '../../../../src/client/faithfulness/sections.ts';

const WORDS = ['ab', 'c', 'def', 'g', 'hi', 'jk', 'lmn', 'o', 'pq', 'r'];
const PROMPT = WORDS.join(' ');
/** What each word is worth to the target, nats. */
const WORTH = [3, -1, 0.5, 8, 0, 2, -0.5, 1, 0.2, 5];
const starts = WORDS.map((_, at) => WORDS.slice(0, at).join(' ').length + (at === 0 ? 0 : 1));
const request: ExplainBody = { model: 'm', prompt: PROMPT, target: ' t', control_factor: 0 };

const response = (scores: readonly number[]): ExplainResponse => ({
  model_version: 'm 1',
  explanations: [
    {
      target: ' t',
      items: [
        {
          type: 'text',
          scores: WORDS.map(({ length }, at) => ({ start: starts[at] ?? 0, length, score: scores[at] ?? 0 })),
        },
        { type: 'target', scores: [] },
      ],
    },
  ],
});

/** A model to which the target is as likely as the words that are left say; a word under a control counts as gone. */
function additive() {
  let asked = 0;
  const client: Pick<Client, 'evaluate'> = {
    evaluate: async ({ prompt }, options) => {
      asked++;
      expect(options?.nice).toBe(true);
      const [item] = typeof prompt === 'string' ? [] : prompt;
      if (item?.type !== 'text') throw new Error('expected a text');
      const gone = new Set(item.controls?.map(({ start }) => starts.indexOf(start)));
      const left = WORDS.map((word, at) => item.data.split(' ').includes(word) && !gone.has(at));
      const log_probability = WORTH.reduce((sum, worth, at) => sum + (left[at] ? worth : 0), -30);
      return { ok: true, value: { model_version: 'm 1', message: null, result: { log_probability } } } as Awaited<
        ReturnType<Client['evaluate']>
      >;
    },
  };
  return { client, asked: () => asked };
}

const measure = (scores: readonly number[], options: Partial<FaithfulnessOptions> = {}, body = request) =>
  measureFaithfulness(body, response(scores), { ...additive(), ...options });

describe('measureFaithfulness', () => {
  it('finds a true explanation of an additive model perfect', async () => {
    const { orders, sections, logLikelihood } = await measure(WORTH);
    expect({ sections, logLikelihood }).toEqual({ sections: 10, logLikelihood: -30 + 18.2 });
    const [own, random] = orders;
    expect(own).toMatchObject({
      name: 'explanation',
      kendall: { value: 1 },
      spearman: { value: 1 },
    });
    expect(own?.datamodelling?.value).toBeCloseTo(1, 9);
    // Worth of the first 1, 1, 2, 4 and 5 words, averaged: 8, 8, 13, 18, 19; what is left of 18.2 is lost with only these.
    expect(own?.controls?.comprehensiveness?.value).toBeCloseTo((8 + 8 + 13 + 18 + 19) / 5, 9);
    expect(own?.controls?.sufficiency?.value).toBeCloseTo(18.2 - (8 + 8 + 13 + 18 + 19) / 5, 9);
    expect(own?.deletion?.comprehensiveness?.value).toBeCloseTo(own?.controls?.comprehensiveness?.value ?? NaN, 9);
    expect(random?.name).toBe('random');
    expect(random?.controls?.comprehensiveness?.value).toBeLessThan(own?.controls?.comprehensiveness?.value ?? 0);
    expect(random?.controls?.comprehensiveness?.interval).not.toBeNull();
  });

  it('finds a reversed explanation wrong', async () => {
    const { orders } = await measure(WORTH.map((worth) => -worth));
    expect(orders[0]).toMatchObject({ kendall: { value: -1 }, spearman: { value: -1 } });
    expect(orders[0]?.datamodelling?.value).toBeCloseTo(-1, 9);
  });

  it('puts other methods and what knows nothing of the model beside it', async () => {
    const others = { attention: WORDS.map((_, at) => at % 3) };
    const { orders } = await measure(WORTH, { others });
    expect(orders.map(({ name }) => name)).toEqual([
      'explanation',
      'attention',
      'random',
      'last first',
      'longest first',
      'deletion',
    ]);
    await expect(measure(WORTH, { others: { attention: [1] } })).rejects.toThrow(/expected 10 scores, got 1/);
  });

  it('is the same for the same seed, and asks for each removal once', async () => {
    const { client, asked } = additive();
    const told: number[] = [];
    const found = await measure(WORTH, { client, onProgress: (done, total) => told.push(done / total) });
    expect(found).toEqual(await measure(WORTH));
    expect(found).not.toEqual(await measure(WORTH, { seed: 2 }));
    expect(found.evaluations).toBe(asked());
    expect(told.at(-1)).toBe(1);
  });

  it('leaves deletion out where nothing can be cut', async () => {
    const controls = [{ start: 1, length: 0, factor: 1 }];
    const body = { ...request, prompt: [{ type: 'text' as const, data: PROMPT, controls }] };
    const [own] = (await measure(WORTH, {}, body)).orders;
    expect(own).toMatchObject({ deletion: null, kendall: null, spearman: null });
  });

  it('only deletes after a method that deletes, a line break where nothing is left', async () => {
    const { client, asked } = additive();
    const prompts: unknown[] = [];
    const evaluate: typeof client.evaluate = (body, options) => {
      prompts.push(body.prompt);
      return client.evaluate(body, options);
    };
    const body = { ...request, method: 'deletion' as const, control_factor: 1 };
    const { orders, sections } = await measure(WORTH, { client: { evaluate } }, body);
    expect(orders[0]).toMatchObject({ controls: null, spearman: { value: 1 } });
    expect(orders[0]?.datamodelling?.value).toBeCloseTo(1, 9);
    expect(JSON.stringify(prompts)).not.toContain('controls');
    expect(asked()).toBeLessThanOrEqual(mostEvaluations(sections));
    expect(deleted({ ...request, prompt: 'a b' }, [{ item: 0, place: { type: 'text', start: 0, length: 3 } }])).toEqual(
      [{ type: 'text', data: '\n' }],
    );
  });

  it('refuses what says nothing', async () => {
    await expect(measure(WORTH, {}, { ...request, control_factor: 1 })).rejects.toThrow(/got 1$/);
    const few = { ...request, prompt: 'a' };
    const one = {
      model_version: 'm 1',
      explanations: [{ target: ' t', items: [{ type: 'text' as const, scores: [] }] }],
    };
    await expect(measureFaithfulness(few, one, additive())).rejects.toThrow(/at least 4 sections, got 0/);
  });

  it('does not judge one model by another', async () => {
    const other = { ...response(WORTH), model_version: 'm 0' };
    await expect(measureFaithfulness(request, other, additive())).rejects.toThrow('expected m 0, got m 1');
  });

  it('measures the model as it was explained', async () => {
    const computed = { hosting: 'acme', steering_concepts: [{ id: 'c', strength: 3 }], control_log_additive: false };
    const { client } = additive();
    const evaluate = vi.spyOn(client, 'evaluate');
    await measure(WORTH, { client }, { ...request, ...computed });
    for (const [body] of evaluate.mock.calls) expect(body).toMatchObject(computed);
  });

  it('says what the service refuses', async () => {
    const problem = { status: 400, code: 'INVALID_REQUEST', message: 'prompt: …' };
    const client = { evaluate: () => Promise.resolve({ ok: false as const, problem }) };
    await expect(measure(WORTH, { client })).rejects.toThrow(MeasurementError);
  });
});
