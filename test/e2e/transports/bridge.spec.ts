import { readLines } from '../../../src/client/read-lines.ts';
import { expect, type Page } from '@playwright/test';
import { startServer, type RunningServer } from '../../../server/serve.ts';
import type { StreamLine } from '../../../src/contract/wire/stream.ts';
import { embed, MODEL, textOfTokens } from '../calls.ts';
import { open } from '../fixture.ts';
import { watchJobs } from '../worker-jobs.ts';
import { test } from './own-server.ts';

/** A program on this machine that asks the server. */
function ask(
  server: RunningServer,
  token: string | null,
  path: string,
  body?: object,
  init: RequestInit = {},
): Promise<Response> {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== null && { Authorization: `Bearer ${token}` }),
    ...init.headers,
  };
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  return fetch(new URL(`/api/${path}`, server.url), { ...sent, ...init, headers });
}

async function codeOf(response: Response): Promise<unknown[]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

const tokenOf = (page: Page): Promise<string> => page.evaluate(() => lightwell.token);

/** Waits until the server has a tab to ask, which answers 401 to a wrong token. */
async function connected(server: RunningServer): Promise<void> {
  await expect.poll(async () => (await ask(server, null, 'model-settings')).status).toBe(401);
}

const APPLE = { model: MODEL, prompt: 'An apple a day' };

/** A request that runs for many seconds. */
async function slow(page: Page): Promise<object> {
  const prompt = await textOfTokens(page, 250);
  return { model: MODEL, prompt, target: ' and went home', prompt_granularity: { type: 'token' } };
}

/** Sends it, and waits until the worker has begun with it. */
async function beginSlow(page: Page, server: RunningServer) {
  await connected(server);
  const token = await tokenOf(page);
  const body = await slow(page);
  const jobs = await watchJobs(page);
  const answered = ask(server, token, 'explain', body);
  await jobs.begun('explain');
  return { token, jobs, answered };
}

test.describe('programs, over the bridge', () => {
  test('get the same answers as the page', async ({ linked: { page: app, server } }) => {
    const token = await tokenOf(app);
    const answered = await ask(server, token, 'embed', { ...APPLE, layers: [0, -1], tokens: true });
    expect(answered.status).toBe(200);
    const inPage = await embed(app, APPLE.prompt, { layers: [0, -1], tokens: true });
    expect(await answered.json()).toEqual(inPage.body);
    const versioned = await ask(server, token, 'v1/model-settings');
    expect(JSON.stringify(await versioned.json())).toContain(MODEL);
  });

  test('get an explanation streamed, as it is made', async ({ linked: { page: app, server } }) => {
    const body = { ...APPLE, target: ' keeps the doctor away', prompt_granularity: { type: 'token' } };
    const init = { headers: { Accept: 'application/x-ndjson' } };
    const response = await ask(server, await tokenOf(app), 'explain', body, init);
    const lines: StreamLine<object>[] = [];
    for await (const text of readLines(response)) lines.push(JSON.parse(text));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.slice(0, -1).every((line) => 'progress' in line)).toBe(true);
    expect(lines.at(-1)).toMatchObject({ response: { explanations: [{ target: body.target }] } });
  });

  test('need the token of the page', async ({ linked: { server } }) => {
    expect(await codeOf(await ask(server, 'wrong', 'embed', APPLE))).toEqual([401, 'UNAUTHORIZED']);
    expect(await codeOf(await ask(server, null, 'embed', APPLE))).toEqual([401, 'UNAUTHORIZED']);
  });

  test('free the model when they go away', async ({ linked: { page: app, server } }) => {
    const token = await tokenOf(app);
    const controller = new AbortController();
    const body = await slow(app);
    const jobs = await watchJobs(app);
    const answered = ask(server, token, 'explain', body, { signal: controller.signal });
    const cut = expect(answered).rejects.toThrow('abort');
    await jobs.begun('explain');
    controller.abort();
    await cut;
    await expect.poll(() => jobs.ends('explain')).toEqual(['cancelled']);
    expect((await embed(app, 'hello')).status).toBe(200);
  });
});

test.describe('tabs that come and go', () => {
  // One page goes through both: opening one, with its model, is what such a test costs.
  test('a reloaded tab ends its requests and answers the next, and finds its way back to a server that was restarted', async ({
    freshApp: app,
    server,
    backend,
  }) => {
    await test.step('a reload in the middle of a request ends it at once, and the next one is answered', async () => {
      const { token, answered } = await beginSlow(app, server);
      await open(app, backend);
      const response = await answered;
      expect(response.headers.get('Retry-After')).not.toBeNull();
      expect(await codeOf(response)).toEqual([503, 'NO_TAB']);
      await connected(server);
      expect((await ask(server, token, 'embed', APPLE)).status).toBe(200);
    });

    await test.step('a server that was restarted', async () => {
      const { token, jobs, answered } = await beginSlow(app, server);
      const cut = expect(answered).rejects.toThrow('fetch failed');
      await server.close();
      await cut;
      expect((await embed(app, 'hello')).status).toBe(200);
      await expect.poll(() => jobs.ends('explain'), 'the slot is freed').toEqual(['cancelled']);
      const again = await startServer({ port: Number(new URL(server.url).port) });
      try {
        await connected(again);
        expect((await ask(again, token, 'embed', APPLE)).status).toBe(200);
      } finally {
        await again.close();
      }
    });
  });

  test('another tab takes over the request of one that is closed', async ({ context, server, backend }) => {
    const pages = [await context.newPage(), await context.newPage()] as const;
    const busy = new Promise<Page>((resolve) => {
      for (const page of pages)
        page.on('websocket', (socket) =>
          socket.on('framereceived', ({ payload }) => String(payload).includes('/api/explain') && resolve(page)),
        );
    });
    for (const page of pages) await open(page, backend);
    await connected(server);
    const body = { ...(await slow(pages[0])), prompt_granularity: { type: 'sentence' } };
    const answered = ask(server, await tokenOf(pages[0]), 'explain', body);
    await (await busy).close();
    expect((await answered).status).toBe(200);
  });
});

test.describe('scripts of other pages', () => {
  const ORIGIN = 'https://notebook.example';
  const preflight = { method: 'OPTIONS', headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' } };

  test('are let in by the setting, and out again', async ({ linked: { page: app, server } }) => {
    const allowed = async (): Promise<number> => (await ask(server, null, 'embed', undefined, preflight)).status;
    expect(await allowed()).toBe(403);
    await app.evaluate((origin) => void lightwell.settings.set({ allowedOrigins: [origin] }), ORIGIN);
    await expect.poll(allowed).toBe(204);
    await app.evaluate(() => void lightwell.settings.set({ allowedOrigins: [] }));
    await expect.poll(allowed).toBe(403);
  });
});
