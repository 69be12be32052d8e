import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../server/serve.ts';
import { TOKEN } from '../../support/fakes/fake-tab.ts';
import { openAiPage, serveBridged } from '../../support/fakes/openai-page.ts';
import { createFakeModel } from '../../support/fakes/fake-model.ts';
import { createPage, TOKEN as PAGE_TOKEN } from '../../support/fakes/page.ts';
import { CALLS } from './calls.ts';
import { checkOutcome } from './check.ts';
import { openAiClient, outcomeOf } from './client.ts';

/** The same calls with the Python client: test/conformance/openai/run.mjs. */
describe('the official JavaScript client', () => {
  const page = openAiPage();
  let bridged: Awaited<ReturnType<typeof serveBridged>>;
  beforeAll(async () => {
    bridged = await serveBridged(page);
  });
  afterAll(async () => {
    await bridged.close();
    page.dispose();
  });

  it('makes at least 80 calls, each with a name of its own', () => {
    expect(new Set(CALLS.map(({ method, name }) => `${method} ${name}`)).size).toBe(CALLS.length);
    expect(CALLS.length).toBeGreaterThanOrEqual(80);
  });

  it.each(CALLS)('in the page: $method: $name', async (call) => {
    const fetchInPage: typeof fetch = (input, init) => page.fetch(input, init);
    const client = openAiClient({ baseURL: 'http://localhost/v1', apiKey: TOKEN, fetch: fetchInPage });
    checkOutcome(call, await outcomeOf(client, call));
  });

  it.each(CALLS)('through the local server: $method: $name', async (call) => {
    checkOutcome(call, await outcomeOf(openAiClient({ baseURL: `${bridged.url}v1`, apiKey: TOKEN }), call));
  });
});

describe('failures of a transport on OpenAI routes', () => {
  const bodyOf = async (response: Response) => [response.status, ((await response.json()) as { error: object }).error];

  it('are in the form of OpenAI, whether the server or the page says them', async () => {
    const server = await startServer({ port: 0, limits: { maxBodyBytes: 10 } });
    const post = (path: string, init: RequestInit = {}) =>
      fetch(new URL(path, server.url), { method: 'POST', ...init });
    expect(await bodyOf(await post('/v1/completions'))).toMatchObject([503, { type: 'server_error', code: 'no_tab' }]);
    const foreign = { headers: { Origin: 'https://evil.example' } };
    expect(await bodyOf(await post('/v1/completions', foreign))).toMatchObject([403, { code: 'forbidden_origin' }]);
    await server.close();
  });

  it('name a full queue', async () => {
    const { router } = createPage({ model: createFakeModel({ delayMs: 3000 }), timeoutMs: 1000, maxWaiting: 1 });
    const init = {
      method: 'POST',
      headers: { Authorization: `Bearer ${PAGE_TOKEN}` },
      body: JSON.stringify({ model: 'lightwell-base', prompt: 'Rome', max_tokens: 1 }),
    };
    const answers = await Promise.all([1, 2, 3].map(async () => bodyOf(await router.fetch('/v1/completions', init))));
    expect(answers).toContainEqual([503, expect.objectContaining({ type: 'server_error', code: 'queue_full' })]);
    router.dispose();
  });

  it('name unknown paths, other methods and long bodies', async () => {
    const { router } = createPage();
    const headers = { Authorization: 'Bearer test-token' };
    const ask = (path: string, init: RequestInit = {}) => router.fetch(path, { headers, ...init });
    expect(await bodyOf(await ask('/v1/nowhere'))).toMatchObject([404, { code: 'not_found', param: null }]);
    expect(await bodyOf(await ask('/v1/completions'))).toMatchObject([405, { code: 'method_not_allowed' }]);
    const body = JSON.stringify({ model: 'lightwell-base', prompt: ['x'.repeat(9 * 2 ** 20)] });
    expect(await bodyOf(await ask('/v1/completions', { method: 'POST', body }))).toMatchObject([
      413,
      { type: 'invalid_request_error', code: 'payload_too_large' },
    ]);
    const broken = await bodyOf(await ask('/v1/completions', { method: 'POST', body: '{' }));
    expect(broken).toMatchObject([400, { code: 'payload_error', param: null }]);
    router.dispose();
  });
});
