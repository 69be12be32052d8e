import { describe, expect, it } from 'vitest';
import type { Jobs } from '../../../../../src/protocol/jobs.ts';
import { createOperations } from '../../../../../workers/operations/operations.ts';
import { steeringConcept } from '../../../../../workers/operations/steering/concept.ts';
import { steeredBy, withoutMargins } from '../../../../../workers/operations/steering/steered.ts';
import type { LoadedModel } from '../../../../../workers/engine/engine.ts';
import { createFakeModel, embedding } from '../../../../support/fakes/fake-model.ts';
import { firstModel, QUIET as context, textPrompt } from '../../../../support/fakes/jobs.ts';

const vector = (layer: number, width = 8) => ({ layer, vector: new Float32Array(width).fill(layer) });

function withShape(change: Partial<LoadedModel['network']['shape']>): LoadedModel {
  const fake = createFakeModel();
  return { ...fake, network: { ...fake.network, shape: { ...fake.network.shape, ...change } } };
}

describe('a steered model', () => {
  it('adds the sum of the vectors of a layer in every pass, on its writer too', async () => {
    const [fake, writer] = [createFakeModel(), createFakeModel()];
    const both = { ...fake, network: { ...fake.network, writer: writer.network } };
    const { network } = steeredBy({ steering: [vector(2), vector(1), vector(2)] }, both);
    const run = { batch: 1, ids: Int32Array.of(3), logits: true };
    await network.run(run);
    await network.writer?.run(run);
    const rows = Float32Array.from({ length: 16 }, (_, at) => (at < 8 ? 1 : 4));
    expect(fake.runs[0]?.steering).toEqual(rows);
    expect(writer.runs[0]?.steering).toEqual(rows);
  });

  it('is the model itself without vectors', () => {
    const fake = createFakeModel();
    expect(steeredBy({}, fake)).toBe(fake);
  });

  it.each([
    [
      vector(3),
      /steering_concepts\[1\]: expected a concept of a model with 2 layers and the width 8, got one for layer 3/,
    ],
    [vector(1, 4), /steering_concepts\[1\].*got one for layer 1 and the width 4/],
  ])('refuses vectors of another network', (wrong, message) => {
    expect(() => steeredBy({ steering: [vector(1), wrong] }, createFakeModel())).toThrow(message);
  });

  it('refuses a network that cannot be steered, with the reason', () => {
    const steering = [vector(1)];
    expect(() => steeredBy({ steering }, withShape({ takesSteering: false }))).toThrow(
      'layers do not end in a residual sum',
    );
    const kept = withShape({ takesSteering: false, keptBecause: 'it has a convolution' });
    expect(() => steeredBy({ steering }, kept)).toThrow('got one that cannot: it has a convolution');
  });

  it('has no margins that were measured without steering', () => {
    const job = { model: firstModel(), steering: [vector(1)] };
    expect(firstModel().margins).toBeDefined();
    expect(withoutMargins(job).model.margins).toBeUndefined();
    expect(withoutMargins({ model: firstModel() }).model.margins).toBeDefined();
  });
});

describe('a steering concept', () => {
  const job = (more: Partial<Jobs['steeringConcept']['input']> = {}): Jobs['steeringConcept']['input'] => ({
    model: firstModel(),
    examples: [
      { positive: textPrompt('apple'), negative: textPrompt('doctor') },
      { positive: textPrompt('day'), negative: textPrompt('away') },
    ],
    layer: null,
    ...more,
  });

  it('is the mean difference of the mean states, after the middle layer', async () => {
    const fake = createFakeModel();
    const { vector: found, layer, layers } = await steeringConcept(job(), fake, context);
    expect([layer, layers]).toEqual([1, 2]);
    const mean = (text: string) => {
      const { ids } = fake.tokenizer.tokenize(text);
      return ids
        .map(embedding)
        .reduce((sum, each) => sum.map((x, k) => x + (each[k] ?? 0) / ids.length), new Array<number>(8).fill(0));
    };
    const [apple, doctor, day, away] = ['apple', 'doctor', 'day', 'away'].map(mean);
    found.forEach((value, k) =>
      expect(value).toBeCloseTo(((apple?.[k] ?? 0) - (doctor?.[k] ?? 0) + (day?.[k] ?? 0) - (away?.[k] ?? 0)) / 2, 5),
    );
  });

  const { steeringConcept: make, evaluate } = createOperations({
    withModel: () => Promise.reject(new Error('not asked')),
    unload: async () => undefined,
  });

  it('is refused for a model of a server', async () => {
    const upstream = { url: '', address: 'https://far.example', model: 'm', token: '', maxTokens: null };
    await expect(async () => make(job({ upstream }), context)).rejects.toThrow('its states are at https://far.example');
  });

  it('is neither made nor applied on a remote engine, or where a model runs as exported, before anything is loaded', async () => {
    const remote = { url: '', address: 'https://engine.example', model: 'm', token: '' };
    await expect(async () => make(job({ remote }), context)).rejects.toThrow(
      'its passes run at https://engine.example',
    );
    const model = { ...firstModel(), tier: 'as_exported', reason: 'it has a convolution' } as const;
    await expect(async () => make(job({ model }), context)).rejects.toThrow('it has a convolution');
    const likelihood = { model, prompt: textPrompt('a'), completion_expected: 'b', control_log_additive: true };
    await expect(evaluate({ ...likelihood, steering: [vector(1)] }, context)).rejects.toThrow('it has a convolution');
    await expect(evaluate(likelihood, context)).rejects.toThrow('not asked');
  });
});
