import { describe, expect, it } from 'vitest';
import { ErrorBody } from '../../src/contract/request.ts';
import { ModelSettingsResponse } from '../../src/contract/model-settings.ts';
import { createFakeModel } from '../support/fake-model.ts';
import { createPage, post, TOKEN } from '../support/page.ts';

const embed = { model: 'lightwell-base', prompt: 'Rome', layers: [0], pooling: ['mean'] };
const explain = { model: 'lightwell-base', prompt: 'Rome', target: ' is' };
const headers = { Authorization: `Bearer ${TOKEN}` };
const get = (path: string, init: RequestInit = { headers }) => new Request(`http://localhost${path}`, init);

const refusal = async (request: Request, page = createPage()) => {
  const response = await page.router.fetch(request);
  return { status: response.status, ...ErrorBody.parse(await response.json()), response };
};

describe('authentication', () => {
  it.each([
    ['no token', new Request('http://localhost/model-settings')],
    ['a wrong token', get('/model-settings', { headers: { Authorization: 'Bearer no' } })],
    ['another scheme', get('/model-settings', { headers: { Authorization: `Basic ${TOKEN}` } })],
  ])('refuses %s', async (_, request) => {
    expect(await refusal(request)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('operations', () => {
  it('lists the models with all fields', async () => {
    const response = await createPage().router.fetch(get('/model-settings'));
    const [model] = ModelSettingsResponse.parse(await response.json());
    expect(model).toMatchObject({ name: 'lightwell-base', max_context_size: 1024, multimodal: false });
  });

  it('describes itself without a token, from the schemas it validates with', async () => {
    const response = await createPage().router.fetch(get('/openapi.json', {}));
    const document = await response.json();
    expect(document).toMatchObject({ openapi: '3.1.0' });
    expect(Object.keys(document.paths)).toEqual(['/embed', '/explain', '/model-settings']);
    expect(document.components.schemas.ExplainRequest.properties.control_factor).toMatchObject({
      default: 0.1,
      minimum: 0,
    });
  });

  it.each(['/qa', '/batch_semantic_embed', '/semantic_embed'])('says that %s is not built yet', async (path) => {
    expect(await refusal(post(path, {}))).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
  });

  it('refuses an unknown path and a wrong method', async () => {
    expect(await refusal(get('/nothing'))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await refusal(get('/embed'))).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
  });
});

describe('bad input', () => {
  const cases: [string, string, unknown, number, string, RegExp][] = [
    ['no JSON', '/embed', '{', 400, 'PAYLOAD_ERROR', /^body: expected JSON/],
    ['nothing', '/embed', '', 400, 'PAYLOAD_ERROR', /^body: expected JSON, got nothing/],
    [
      'NaN',
      '/explain',
      '{"model":"m","prompt":"x","target":"y","control_factor":NaN}',
      400,
      'PAYLOAD_ERROR',
      /^body: expected JSON/,
    ],
    ['an array', '/embed', [], 400, 'PAYLOAD_ERROR', /^body: expected an object, got \[\]/],
    [
      'no model',
      '/embed',
      { ...embed, model: undefined },
      400,
      'PAYLOAD_ERROR',
      /^model: expected a string, got nothing/,
    ],
    [
      'an unknown model',
      '/embed',
      { ...embed, model: 'x' },
      404,
      'UNKNOWN_MODEL',
      /^model: expected one of "lightwell-base", got "x"/,
    ],
    [
      'a foreign operator',
      '/embed',
      { ...embed, hosting: 'x' },
      400,
      'PAYLOAD_ERROR',
      /^hosting: expected null, "operator" or "lightwell", got "x"/,
    ],
    [
      'a null where a boolean is needed',
      '/embed',
      { ...embed, normalize: null },
      400,
      'PAYLOAD_ERROR',
      /^normalize: expected a boolean, got null/,
    ],
    [
      'a prompt that is a number',
      '/embed',
      { ...embed, prompt: 3 },
      400,
      'PAYLOAD_ERROR',
      /^prompt: expected a string or an array, got 3/,
    ],
    [
      'an unknown item',
      '/embed',
      { ...embed, prompt: [{ type: 'video' }] },
      400,
      'PAYLOAD_ERROR',
      /^prompt\[0\]\.type: expected one of "text", "token_ids", "image", got "video"/,
    ],
    [
      'a factor that is a word',
      '/embed',
      { ...embed, prompt: [{ type: 'text', data: 'x', controls: [{ start: 0, length: 1, factor: 'high' }] }] },
      400,
      'PAYLOAD_ERROR',
      /^prompt\[0\]\.controls\[0\]\.factor: expected a number, got "high"/,
    ],
    [
      'a negative factor',
      '/explain',
      { ...explain, control_factor: -1 },
      400,
      'PAYLOAD_ERROR',
      /^control_factor: expected a number ≥ 0, got -1/,
    ],
    [
      'an infinite factor',
      '/explain',
      '{"model":"lightwell-base","prompt":"x","target":"y","control_factor":1e999}',
      400,
      'PAYLOAD_ERROR',
      /^control_factor: expected .*got Infinity/,
    ],
    [
      'a fraction as a layer',
      '/embed',
      { ...embed, layers: [0.5] },
      400,
      'PAYLOAD_ERROR',
      /^layers\[0\]: expected a whole number, got 0.5/,
    ],
    [
      'no layers',
      '/embed',
      { ...embed, layers: [] },
      400,
      'PAYLOAD_ERROR',
      /^layers: expected a non-empty array, got \[\]/,
    ],
    ['a layer out of range', '/embed', { ...embed, layers: [99] }, 400, 'INVALID_REQUEST', /^layers\[0\]: .* got 99/],
    [
      'an unknown pooling',
      '/embed',
      { ...embed, pooling: ['sum'] },
      400,
      'PAYLOAD_ERROR',
      /^pooling\[0\]: expected one of "mean"/,
    ],
    [
      'an unknown postprocessing',
      '/explain',
      { ...explain, postprocessing: 'cube' },
      400,
      'PAYLOAD_ERROR',
      /^postprocessing: expected one of/,
    ],
    [
      'an unknown granularity',
      '/explain',
      { ...explain, prompt_granularity: { type: 'auto' } },
      400,
      'PAYLOAD_ERROR',
      /^prompt_granularity\.type: expected one of/,
    ],
    [
      'custom without delimiter',
      '/explain',
      { ...explain, prompt_granularity: { type: 'custom' } },
      400,
      'INVALID_REQUEST',
      /^prompt_granularity\.delimiter: /,
    ],
    [
      'an empty delimiter',
      '/explain',
      { ...explain, prompt_granularity: { type: 'custom', delimiter: '' } },
      400,
      'INVALID_REQUEST',
      /delimiter: .* got ""/,
    ],
    [
      'a null target',
      '/explain',
      { ...explain, target: null },
      400,
      'PAYLOAD_ERROR',
      /^target: expected a string, got null/,
    ],
    ['an empty target', '/explain', { ...explain, target: '' }, 400, 'INVALID_REQUEST', /^target: /],
    [
      'an empty prompt',
      '/embed',
      { ...embed, prompt: '' },
      400,
      'INVALID_REQUEST',
      /^prompt: expected at least one token/,
    ],
    ['no items', '/embed', { ...embed, prompt: [] }, 400, 'INVALID_REQUEST', /^prompt: expected at least one token/],
    [
      'a lone surrogate',
      '/embed',
      '{"model":"lightwell-base","prompt":"a\\ud800"}',
      400,
      'INVALID_REQUEST',
      /^prompt\[0\]\.data: .*lone surrogate at UTF-16 offset 1/,
    ],
    [
      '1 MB of text',
      '/embed',
      { ...embed, prompt: 'word '.repeat(2e5) },
      400,
      'PROMPT_TOO_LONG',
      /^prompt.*expected at most 1024 tokens/,
    ],
    [
      'a prompt just too long',
      '/embed',
      { ...embed, prompt: [{ type: 'token_ids', data: Array(1025).fill(300) }] },
      400,
      'PROMPT_TOO_LONG',
      /at most 1024 tokens, got 1025/,
    ],
    [
      'a bad token id',
      '/embed',
      { ...embed, prompt: [{ type: 'token_ids', data: [1e6] }] },
      400,
      'INVALID_REQUEST',
      /^prompt\[0\]\.data\[0\]: expected a token id below 4096/,
    ],
    [
      'a negative token id',
      '/embed',
      { ...embed, prompt: [{ type: 'token_ids', data: [-1] }] },
      400,
      'PAYLOAD_ERROR',
      /^prompt\[0\]\.data\[0\]: expected a number ≥ 0, got -1/,
    ],
    [
      'an image for a model of text',
      '/embed',
      { ...embed, prompt: [{ type: 'image', data: 'AAAA' }] },
      400,
      'MISSING_CAPABILITY',
      /^prompt\[0\]: /,
    ],
  ];

  it.each(cases)('refuses %s', async (_, path, body, status, code, message) => {
    expect(await refusal(post(path, body))).toMatchObject({ status, code, error: expect.stringMatching(message) });
  });

  it('takes NUL for a character like any other', async () => {
    expect((await createPage().router.fetch(post('/embed', { ...embed, prompt: 'a\0b' }))).status).toBe(200);
  });
});

describe('time, queue and abort', () => {
  const slow = () => createPage({ model: createFakeModel({ delayMs: 30 }), timeoutMs: 15, maxWaiting: 1 });

  it('answers 408 after the time-out', async () => {
    expect(await refusal(post('/embed', embed), slow())).toMatchObject({ status: 408, code: 'TIMEOUT' });
  });

  it('answers 503 with Retry-After when the queue is full', async () => {
    const page = slow();
    const answers = await Promise.all([1, 2, 3].map(() => refusal(post('/embed', embed), page)));
    const full = answers.find(({ code }) => code === 'QUEUE_FULL');
    expect(full).toMatchObject({ status: 503 });
    expect(full?.response.headers.get('Retry-After')).toBe('2');
  });

  it('rejects with AbortError when the request is aborted, as fetch does', async () => {
    const aborting = new AbortController();
    const page = createPage({ model: createFakeModel({ delayMs: 30 }) });
    const answer = page.router.fetch(post('/embed', embed, { signal: aborting.signal }));
    setTimeout(() => aborting.abort(), 5);
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect((await page.router.fetch(post('/embed', embed))).status).toBe(200);
  });

  it('answers 500 with a reason, never a hang, when the engine breaks', async () => {
    const page = createPage({ provide: () => Promise.reject(new TypeError('broken')) });
    expect(await refusal(post('/embed', embed), page)).toMatchObject({ status: 500, code: 'INTERNAL' });
  });

  it('runs again once when the worker dies under a request', async () => {
    const page = createPage({ model: createFakeModel({ delayMs: 30 }) });
    const answer = page.router.fetch(post('/embed', embed));
    setTimeout(() => page.scheduler.restart('killed by the test'), 10);
    expect((await answer).status).toBe(200);
    expect(page.lanes).toHaveLength(2);
  });
});
