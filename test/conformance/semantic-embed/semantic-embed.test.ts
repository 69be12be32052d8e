import { describe, expect, it } from 'vitest';
import { BatchSemanticEmbedResponse, SemanticEmbedResponse } from '../../../src/contract/embed.ts';
import { STREAM_TYPE } from '../../../src/contract/wire/stream.ts';
import { createFakeEmbedder, EMBEDDED_WIDTH } from '../../support/fakes/fake-embedder.ts';
import { createPage, post } from '../../support/fakes/page.ts';

const MODEL = 'lightwell-embed';

const page = (model = createFakeEmbedder()) => createPage({ model });

const batch = async (body: object, model = createFakeEmbedder()) => {
  const request = post('/batch_semantic_embed', { model: MODEL, representation: 'symmetric', ...body });
  const response = await page(model).router.fetch(request);
  expect(response.status).toBe(200);
  return BatchSemanticEmbedResponse.parse(await response.json());
};

const single = async (body: object, model = createFakeEmbedder()) => {
  const request = post('/semantic_embed', { model: MODEL, representation: 'symmetric', ...body });
  const response = await page(model).router.fetch(request);
  expect(response.status).toBe(200);
  return SemanticEmbedResponse.parse(await response.json());
};

const lengthOf = (vector: readonly number[] = []) => Math.hypot(...vector);

describe('POST /batch_semantic_embed', () => {
  it('answers the documented keys in the documented order', async () => {
    const request = post('/batch_semantic_embed', { prompts: ['Rome'], representation: 'query' });
    const body: object = await (await page().router.fetch(request)).json();
    expect(Object.keys(body)).toEqual(['model_version', 'embeddings', 'num_tokens_prompt_total']);
  });

  it('embeds strings and lists of items, one vector each', async () => {
    const prompts = ['Rome', [{ type: 'text', data: 'Rome' }], [{ type: 'token_ids', data: [300, 301] }]];
    const { embeddings } = await batch({ prompts });
    expect(embeddings).toHaveLength(3);
    expect(embeddings[0]).toEqual(embeddings[1]);
    expect(embeddings[2]).not.toEqual(embeddings[1]);
    expect(embeddings[0]).toHaveLength(EMBEDDED_WIDTH);
  });

  it('accepts what the official client sends: explicit nulls and false, no model', async () => {
    const body = {
      prompts: [[{ type: 'text', data: 'hello', controls: [] }]],
      representation: 'symmetric',
      compress_to_size: 128,
      normalize: false,
      contextual_control_threshold: null,
      control_log_additive: true,
      hosting: null,
      model: null,
    };
    const response = await page().router.fetch(post('/batch_semantic_embed', body));
    expect(response.status).toBe(200);
    expect(BatchSemanticEmbedResponse.parse(await response.json()).model_version).toMatch(/^lightwell-embed /);
  });

  it('needs no model: the first that can do it answers', async () => {
    const request = post('/batch_semantic_embed', { prompts: ['Rome'], representation: 'symmetric' });
    const { model_version } = await (await page().router.fetch(request)).json();
    expect(model_version).toMatch(/^lightwell-embed /);
  });

  it('keeps the order of 100 prompts of any length, and equals single calls', async () => {
    const prompts = Array.from({ length: 100 }, (_, i) => `${'word '.repeat((i * 7) % 13)}number ${i}`);
    const { embeddings } = await batch({ prompts });
    for (const i of [0, 17, 50, 99]) {
      const { embedding } = await single({ prompt: prompts[i] });
      embedding.forEach((x, k) => expect(embeddings[i]?.[k]).toBeCloseTo(x, 5));
    }
  });

  it('counts the tokens of all prompts, and none of its own', async () => {
    const alone = await Promise.all(['Rome', 'An apple a day'].map((prompt) => single({ prompt })));
    const { num_tokens_prompt_total } = await batch({ prompts: ['Rome', 'An apple a day'], representation: 'query' });
    expect(num_tokens_prompt_total).toBe(alone.reduce((sum, each) => sum + each.num_tokens_prompt_total, 0));
    expect((await single({ prompt: [{ type: 'token_ids', data: [300] }] })).num_tokens_prompt_total).toBe(1);
  });

  it('answers no prompts with no embeddings', async () => {
    expect(await batch({ prompts: [] })).toMatchObject({ embeddings: [], num_tokens_prompt_total: 0 });
  });

  it.each(['symmetric', 'document', 'query'])('tells the representation %s to the model', async (representation) => {
    const [first = [], second = []] = (await batch({ prompts: ['Rome', 'Rome'], representation })).embeddings;
    const others = ['symmetric', 'document', 'query'].filter((other) => other !== representation);
    expect(first).toEqual(second);
    for (const other of others)
      expect((await single({ prompt: 'Rome', representation: other })).embedding).not.toEqual(first);
  });

  it('compresses to the 128 leading dimensions', async () => {
    const full = await single({ prompt: 'Rome' });
    const { embeddings } = await batch({ prompts: ['Rome'], compress_to_size: 128 });
    expect(embeddings[0]).toEqual(full.embedding.slice(0, 128));
  });

  it.each([null, 128])('brings vectors to length 1 when asked to normalize, compressed to %s', async (size) => {
    const { embeddings } = await batch({ prompts: ['Rome', 'Paris'], compress_to_size: size, normalize: true });
    for (const vector of embeddings) expect(lengthOf(vector)).toBeCloseTo(1, 5);
  });

  it('applies controls of items', async () => {
    const item = (controls: object[]) => [{ type: 'token_ids', data: [300, 301], controls }];
    const { embeddings } = await batch({ prompts: [item([]), item([{ index: 1, factor: 0.1 }]), item([])] });
    expect(embeddings[0]).toEqual(embeddings[2]);
    expect(embeddings[1]).not.toEqual(embeddings[0]);
  });

  it('spreads controls to similar tokens when given a threshold', async () => {
    const prompt = [{ type: 'token_ids', data: [300, 301, 300], controls: [{ index: 0, factor: 0 }] }];
    const plain = await single({ prompt });
    const spread = await single({ prompt, contextual_control_threshold: 0.99 });
    expect(spread.embedding).not.toEqual(plain.embedding);
  });

  it('tells progress to those who ask for it', async () => {
    const headers = { Accept: STREAM_TYPE };
    const body = { prompts: ['Rome', 'a b c d e f g h i j'], representation: 'query' };
    const response = await page().router.fetch(post('/batch_semantic_embed', body, { headers }));
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ progress: { phase: 'run', total: 2 } });
    expect(lines.at(-1).response.embeddings).toHaveLength(2);
  });
});

describe('POST /semantic_embed', () => {
  it('answers the documented keys in the documented order', async () => {
    const request = post('/semantic_embed', { prompt: 'Rome', representation: 'query' });
    const body: object = await (await page().router.fetch(request)).json();
    expect(Object.keys(body)).toEqual(['model_version', 'embedding', 'num_tokens_prompt_total']);
  });
});
