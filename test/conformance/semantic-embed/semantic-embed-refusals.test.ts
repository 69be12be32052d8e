import { describe, expect, it } from 'vitest';
import { ErrorBody } from '../../../src/contract/prompt.ts';
import { createFakeEmbedder } from '../../support/fakes/fake-embedder.ts';
import { createPage, post } from '../../support/fakes/page.ts';

const refusal = async (path: string, body: object, options: Parameters<typeof createPage>[0] = {}) => {
  const response = await createPage({ model: createFakeEmbedder(), ...options }).router.fetch(post(path, body));
  return { status: response.status, ...ErrorBody.parse(await response.json()) };
};

describe('semantic embeddings that are refused', () => {
  const good = ['Rome', 'Rome', 'Rome'];
  it.each<readonly [string, object, number, string, RegExp]>([
    [
      '101 prompts',
      { prompts: Array(101).fill('x') },
      400,
      'PAYLOAD_ERROR',
      /^prompts: expected at most 100 items, got 101/,
    ],
    [
      'another size',
      { prompts: ['x'], compress_to_size: 64 },
      400,
      'PAYLOAD_ERROR',
      /^compress_to_size: expected 128, got 64/,
    ],
    [
      'a size in words',
      { prompts: ['x'], compress_to_size: '128' },
      400,
      'PAYLOAD_ERROR',
      /^compress_to_size: expected 128/,
    ],
    ['no prompts at all', { prompts: undefined }, 400, 'PAYLOAD_ERROR', /^prompts: expected an array, got nothing/],
    ['prompt in place of prompts', { prompt: 'x' }, 400, 'PAYLOAD_ERROR', /^prompts: expected an array, got nothing/],
    [
      'a number among prompts',
      { prompts: ['x', 3] },
      400,
      'PAYLOAD_ERROR',
      /^prompts\[1\]: expected a string or an array/,
    ],
    [
      'an unknown representation',
      { prompts: ['x'], representation: 'asymmetric' },
      400,
      'PAYLOAD_ERROR',
      /^representation: /,
    ],
    ['no representation', { prompts: ['x'], representation: undefined }, 400, 'PAYLOAD_ERROR', /^representation: /],
    ['an unknown model', { prompts: ['x'], model: 'no-such' }, 404, 'UNKNOWN_MODEL', /^model: expected one of/],
    ['a model that cannot', { prompts: ['x'], model: 'lightwell-base' }, 400, 'MISSING_CAPABILITY', /semantic_embed/],
    [
      'an empty prompt',
      { prompts: [...good, ''] },
      400,
      'INVALID_REQUEST',
      /^prompts\[3\]: expected at least one token/,
    ],
    ['no items', { prompts: [[]] }, 400, 'INVALID_REQUEST', /^prompts\[0\]: expected at least one token/],
    [
      'a token id beyond the vocabulary',
      { prompts: [...good, [{ type: 'token_ids', data: [5, 4096] }]] },
      400,
      'INVALID_REQUEST',
      /^prompts\[3\]\[0\]\.data\[1\]: expected a token id below 4096, got 4096/,
    ],
    [
      'a lone surrogate',
      { prompts: [...good, 'a\ud800'] },
      400,
      'INVALID_REQUEST',
      /^prompts\[3\]\[0\]\.data: expected well-formed/,
    ],
    [
      'a control beyond its item',
      { prompts: [[{ type: 'text', data: 'ab', controls: [{ start: 1, length: 9, factor: 0 }] }]] },
      400,
      'INVALID_REQUEST',
      /^prompts\[0\]\[0\]\.controls\[0\]: expected start/,
    ],
    [
      'a prompt that does not fit',
      { prompts: ['x', [{ type: 'token_ids', data: Array(70).fill(300) }]] },
      400,
      'PROMPT_TOO_LONG',
      /^prompts\[1\]: expected at most \d+ tokens, got 70/,
    ],
    [
      'an image',
      { prompts: ['x', [{ type: 'image', data: 'AAAA' }]] },
      400,
      'MISSING_CAPABILITY',
      /^prompts\[1\]\[0\]: expected text or token ids, .*got an image/,
    ],
  ])('%s', async (_, change, status, code, message) => {
    const body = { representation: 'symmetric', ...change };
    const answer = await refusal('/batch_semantic_embed', body);
    expect(answer).toMatchObject({ status, code });
    expect(answer.error).toMatch(message);
  });

  it('more dimensions than the model has', async () => {
    const narrow = createFakeEmbedder();
    const run = narrow.network.run.bind(narrow.network);
    const network = {
      ...narrow.network,
      run: async (...asked: Parameters<typeof run>) => {
        const { outputs } = await run(...asked);
        const values = outputs?.['sentence_embedding']?.values.slice(0, 64) ?? new Float32Array(0);
        return { outputs: { sentence_embedding: { dimensions: [1, 64], values } } };
      },
    };
    const body = { prompt: 'x', representation: 'query', compress_to_size: 128 };
    const answer = await refusal('/semantic_embed', body, { model: { ...narrow, network } });
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect(answer.error).toBe('compress_to_size: expected at most the 64 dimensions of the model, got 128');
  });

  it('a bad id of a single prompt, named as the request names it', async () => {
    const prompt = [{ type: 'token_ids', data: [1e6] }];
    const { error } = await refusal('/semantic_embed', { prompt, representation: 'query' });
    expect(error).toMatch(/^prompt\[0\]\.data\[0\]: expected a token id below 4096/);
  });
});
