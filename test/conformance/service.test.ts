import { describe, expect, it } from 'vitest';
import { ErrorBody } from '../../src/contract/request.ts';
import { ModelSettingsResponse } from '../../src/contract/model-settings.ts';
import { createFakeModel } from '../support/fake-model.ts';
import { createPage, post, TOKEN } from '../support/page.ts';

const embed = { model: 'lightwell-base', prompt: 'Rome', layers: [0], pooling: ['mean'] };
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
