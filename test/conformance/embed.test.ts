import { describe, expect, it } from 'vitest';
import { EmbedResponse } from '../../src/contract/embed.ts';
import { createPage, post } from '../support/page.ts';

const ask = async (body: object) => {
  const response = await createPage().router.fetch(post('/embed', { model: 'lightwell-base', ...body }));
  return { status: response.status, body: EmbedResponse.parse(await response.json()) };
};

describe('POST /embed', () => {
  it('answers the documented keys in the documented order', async () => {
    const request = post('/embed', { model: 'lightwell-base', prompt: 'Rome', layers: [0], pooling: ['mean'] });
    const response = await createPage().router.fetch(request);
    expect(response.headers.get('Content-Type')).toContain('application/json');
    const body: object = await response.json();
    expect(Object.keys(body)).toEqual(['model_version', 'embeddings', 'tokens', 'num_tokens_prompt_total']);
  });

  it('accepts what the official client sends: items, explicit nulls and false', async () => {
    const { status, body } = await ask({
      prompt: [{ type: 'text', data: 'An apple a day', controls: [] }],
      layers: [0, -1],
      pooling: ['mean', 'max'],
      type: null,
      tokens: false,
      normalize: false,
      contextual_control_threshold: null,
      control_log_additive: true,
      hosting: null,
      tags: ['internal'],
    });
    expect(status).toBe(200);
    expect(body.tokens).toBeNull();
    expect(Object.keys(body.embeddings)).toEqual(['layer_0', 'layer_2']);
    expect(Object.keys(body.embeddings['layer_2'] ?? {})).toEqual(['mean', 'max']);
  });

  it('makes mean and max of one token equal', async () => {
    const { body } = await ask({ prompt: [{ type: 'token_ids', data: [300] }], pooling: ['mean', 'max'] });
    const [layer] = Object.values(body.embeddings);
    expect(layer?.mean).toEqual(layer?.max);
  });

  it('returns the tokens with their leading spaces when asked', async () => {
    const { body } = await ask({ prompt: 'An apple a day', tokens: true });
    expect(body.tokens?.join('')).toBe('An apple a day');
    expect(body.num_tokens_prompt_total).toBe(body.tokens?.length);
  });

  it('uses token ids as they are and concatenates items', async () => {
    const prompt = [
      { type: 'token_ids', data: [300, 301] },
      { type: 'text', data: 'Rome' },
    ];
    const alone = await ask({ prompt: 'Rome' });
    const { body } = await ask({ prompt });
    expect(body.num_tokens_prompt_total).toBe(2 + alone.body.num_tokens_prompt_total);
  });

  it('answers the last layer and the mean when neither is named', async () => {
    const { body } = await ask({ prompt: 'Rome' });
    expect(Object.keys(body.embeddings)).toEqual(['layer_2']);
    expect(Object.keys(body.embeddings['layer_2'] ?? {})).toEqual(['mean']);
  });

  it('writes numbers as the shortest decimal of their float32', async () => {
    const { body } = await ask({ prompt: 'Rome' });
    for (const number of body.embeddings['layer_2']?.mean ?? []) {
      expect(
        String(Math.abs(number))
          .replace(/e.*|\D/g, '')
          .replace(/^0+/, '').length,
      ).toBeLessThanOrEqual(9);
    }
  });

  it('returns vectors of length 1 when asked to normalize', async () => {
    const { body } = await ask({ prompt: 'Rome and Paris', normalize: true });
    const squares = body.embeddings['layer_2']?.mean?.reduce((sum, x) => sum + x * x, 0);
    expect(squares).toBeCloseTo(1, 5);
  });
});
