import assert from 'node:assert/strict';
import type { CompleteResponse } from '../../../src/contract/complete.ts';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import type { EvaluateResponse, LensResponse, PredictResponse } from '../../../src/contract/likelihood.ts';
import type { CompletionsResponse } from '../../../src/contract/openai.ts';
import type { SteeringConceptResponse } from '../../../src/contract/steering.ts';
import type { Ask } from '../transport/ask.ts';
import { row, type Row } from './row.ts';

const SOURCE = "the hosted service's public client 11.5.1, steering.py";
const OWN = 'docs/api.md, POST /steering_concepts';
const model = 'lightwell-base';
const examples = [
  { negative: 'The soup was cold and tasteless.', positive: 'The soup was hot and tasty.' },
  { negative: 'Our guide was terrible.', positive: 'Our guide was excellent.' },
];
const prompt = 'Review: The cake was dry.\nSentiment:';

const made = (ask: Ask, body: object = {}, path = '/steering_concepts') =>
  ask.ok<SteeringConceptResponse>(path, { examples, ...body });

async function likelihood(ask: Ask, steering_concepts: unknown): Promise<number> {
  const body = { model, prompt, completion_expected: ' positive', steering_concepts };
  return (await ask.ok<EvaluateResponse>('/evaluate', body)).result.log_probability;
}

/** What operations answer, without what differs from time to time. */
const ANSWERS: Readonly<Record<string, (ask: Ask, steering: object) => Promise<unknown>>> = {
  '/complete': async (ask, steering) => {
    const body = { model, prompt, maximum_tokens: 3, log_probs: 0, ...steering };
    return (await ask.ok<CompleteResponse>('/complete', body)).completions;
  },
  '/v1/completions': async (ask, steering) => {
    const body = { model, prompt, max_tokens: 3, temperature: 0, logprobs: 1, ...steering };
    return (await ask.ok<CompletionsResponse>('/v1/completions', body)).choices;
  },
  '/explain': async (ask, steering) => {
    const body = { model, prompt, target: ' positive', ...steering };
    return (await ask.ok<ExplainResponse>('/explain', body)).explanations;
  },
  '/v1/explanations': async (ask, steering) => {
    const body = { model, prompt, target: ' positive', method: 'deletion', ...steering };
    return (await ask.ok<ExplainResponse>('/v1/explanations', body)).explanations;
  },
  '/predict': async (ask, steering) =>
    (await ask.ok<PredictResponse>('/predict', { model, prompt, target: ' positive', ...steering })).target,
  '/lens': async (ask, steering) => (await ask.ok<LensResponse>('/lens', { model, prompt, ...steering })).positions,
};

/** `POST /steering_concepts`, and `steering_concepts` of other operations. */
export const STEERING_ROWS: readonly Row[] = [
  row(SOURCE, 'pairs make a concept, and the same pairs the same', async (ask) => {
    const { id, layer, layers, removed } = await made(ask);
    assert.match(id, /^[0-9a-f]{64}$/);
    assert.ok(layer >= 1 && layer <= layers);
    assert.deepEqual(removed, []);
    assert.equal((await made(ask, { model })).id, id);
    assert.equal((await made(ask, {}, '/v1/steering_concepts')).id, id);
    assert.notEqual((await made(ask, { layer: layers })).id, (await made(ask, { layer: 1 })).id);
  }),
  row(SOURCE, 'a concept by its id changes what every operation answers', async (ask) => {
    const { id } = await made(ask);
    for (const [path, answered] of Object.entries(ANSWERS)) {
      const plain = await answered(ask, { steering_concepts: null });
      assert.deepEqual(await answered(ask, { steering_concepts: [] }), plain, path);
      assert.notDeepEqual(await answered(ask, { steering_concepts: [id] }), plain, path);
      assert.deepEqual(await answered(ask, {}), plain, `${path} after a steered request`);
    }
  }),
  row(OWN, 'a strength scales a concept, and several are added', async (ask) => {
    const { id } = await made(ask);
    const plain = await likelihood(ask, null);
    assert.equal(await likelihood(ask, [{ id, strength: 0 }]), plain);
    assert.equal(await likelihood(ask, [{ id }]), await likelihood(ask, [id]));
    assert.equal(await likelihood(ask, [id, id]), await likelihood(ask, [{ id, strength: 2 }]));
    assert.equal(await likelihood(ask, [id, { id, strength: -1 }]), plain);
    assert.notEqual(await likelihood(ask, [{ id, strength: -1 }]), await likelihood(ask, [id]));
  }),
  row(OWN, 'an unknown concept is refused by its place', async (ask) => {
    const { id } = await made(ask);
    const steering_concepts = [id, 'f'.repeat(64)];
    for (const path of ['/evaluate', '/complete', '/explain']) {
      const body = { model, prompt, target: ' a', completion_expected: ' a', maximum_tokens: 1, steering_concepts };
      const { error, code } = await ask.refused(400, path, body);
      assert.equal(code, 'INVALID_REQUEST');
      assert.match(error, /^steering_concepts\[1\]: expected the id of one of the \d+ stored concepts, got "f/);
    }
    const chat = { model, messages: [{ role: 'user', content: 'Hello' }], steering_concepts };
    assert.match((await ask.refused(400, '/chat/completions', chat)).error, /^steering_concepts\[1\]/);
  }),
  row(OWN, 'a layer that the model lacks, and pairs without a difference, are refused', async (ask) => {
    const { layers } = await made(ask);
    const refused = async (body: object) => (await ask.refused(400, '/steering_concepts', { examples, ...body })).error;
    assert.match(await refused({ layer: layers + 1 }), /^layer: expected one from 1 to \d+, got /);
    assert.match(
      await refused({ examples: [{ positive: 'Rome', negative: 'Rome' }] }),
      /^examples: expected texts that differ/,
    );
    assert.match(await refused({ model: 'lightwell-embed' }), /^model: expected one of .* cannot complete/);
  }),
];
