import { describe, expect, it } from 'vitest';
import type { Jobs } from '../../../../src/protocol/jobs.ts';
import { embed } from '../../../../workers/operations/operations.ts';
import { createFakeModel, embedding } from '../../../support/fakes/fake-model.ts';
import { firstModel, idsPrompt, QUIET as context, textPrompt } from '../../../support/fakes/jobs.ts';

const model = firstModel();

const job = (change: Partial<Jobs['embed']['input']> = {}): Jobs['embed']['input'] => ({
  model,
  prompt: idsPrompt([5, 9, 7]),
  layers: [0],
  pooling: ['mean'],
  control_log_additive: true,
  normalize: false,
  ...change,
});

const column = (ids: number[], k: number) => ids.map((id) => embedding(id)[k] ?? 0);

describe('embed', () => {
  it('pools each layer in each way asked for', async () => {
    const pooling = ['max', 'mean', 'abs_max', 'last_token', 'weighted_mean'] as const;
    const { layers } = await embed(job({ pooling, layers: [0, -1] }), createFakeModel(), context);
    expect(layers.map(({ layer }) => layer)).toEqual([0, 2]);
    const values = column([5, 9, 7], 3);
    const [max, mean, absMax, last, weighted] = layers[0]?.vectors.map((vector) => vector[3]) ?? [];
    expect(max).toBeCloseTo(Math.max(...values), 5);
    expect(mean).toBeCloseTo(values.reduce((a, b) => a + b) / 3, 5);
    expect(absMax).toBeCloseTo(Math.max(...values.map(Math.abs)), 5);
    expect(last).toBeCloseTo(values[2] ?? 0, 5);
    expect(weighted).toBeCloseTo(values.reduce((sum, x, i) => sum + x * (i + 1), 0) / 6, 5);
  });

  it('resolves negative layers', async () => {
    const { layers } = await embed(job({ layers: [-1, -2, -3] }), createFakeModel(), context);
    expect(layers.map(({ layer }) => layer)).toEqual([2, 1, 0]);
  });

  it('weighs controlled tokens in the pooling and passes them to the network', async () => {
    const fake = createFakeModel();
    const prompt = idsPrompt([5, 9], [{ index: 0, factor: 0 }]);
    const { layers } = await embed(job({ prompt }), fake, context);
    expect(layers[0]?.vectors[0]?.[0]).toBeCloseTo(embedding(9)[0] ?? 0, 5);
    expect([...(fake.runs[0]?.perturbation?.factors ?? [])]).toEqual([0, 1]);
    expect(fake.runs[0]?.perturbation?.mode).toBe('additive');
  });

  it('returns unit vectors and tokens when asked', async () => {
    const prompt = textPrompt('Hello, Rome');
    const {
      layers,
      tokens,
      num_tokens_prompt_total: tokenCount,
    } = await embed(job({ prompt, normalize: true, tokens: true }), createFakeModel(), context);
    const squares = layers[0]?.vectors[0]?.reduce((sum, x) => sum + x * x, 0);
    expect(squares).toBeCloseTo(1, 5);
    expect(tokens?.join('')).toBe('Hello, Rome');
    expect(tokenCount).toBe(tokens?.length);
  });

  it.each([
    ['a layer beyond the last', { layers: [3] }, /^layers\[0\]: expected a layer from -3 to 2, got 3/],
    ['a layer before the first', { layers: [0, -4] }, /^layers\[1\]: .*got -4/],
    [
      'an id beyond the vocabulary',
      { prompt: idsPrompt([1, 99999]) },
      /^prompt\[0\]\.data\[1\]: expected a token id below 4096, got 99999/,
    ],
  ])('refuses %s', async (_, change, message) => {
    const refused = embed(job(change), createFakeModel(), context);
    await expect(refused).rejects.toMatchObject({
      failure: { code: 'INVALID_REQUEST', message: expect.stringMatching(message) },
    });
  });
});
