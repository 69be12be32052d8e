import { expect, type Page } from '@playwright/test';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import { embed, MODEL, textOfTokens, type Answer } from '../calls.ts';
import { open, test } from '../fixture.ts';
import { watchJobs } from '../worker-jobs.ts';
import { test as ownServer } from './own-server.ts';

/** Waits until the page's own `fetch` passes the service worker. */
async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Another tab in which nothing runs, once the service worker answers both. */
async function otherTab(app: Page): Promise<Page> {
  await controlled(app);
  const tab = await app.context().newPage();
  await tab.goto('/service-worker.js');
  await controlled(tab);
  return tab;
}

/** The page's own `fetch`, not that of the router. */
function fetchIn<Body>(page: Page, token: string, path: string, body?: object): Promise<Answer<Body>> {
  return page.evaluate(
    async ([url, bearer, text]) => {
      const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' };
      const response = await fetch(url, text === null ? { headers } : { method: 'POST', headers, body: text });
      return { status: response.status, body: await response.json() };
    },
    [path, token, body === undefined ? null : JSON.stringify(body)] as const,
  );
}

const tokenOf = (page: Page): Promise<string> => page.evaluate(() => lightwell.token);
const APPLE = { model: MODEL, prompt: 'An apple a day' };

/** A request that runs for many seconds. */
async function slow(page: Page): Promise<object> {
  const prompt = await textOfTokens(page, 250);
  return { model: MODEL, prompt, target: ' and went home', prompt_granularity: { type: 'token' } };
}

test.describe('fetch of /api/…', () => {
  test('is answered in the page itself, without the network', async ({ app }) => {
    await controlled(app);
    const token = await tokenOf(app);
    const context = app.context();
    await context.setOffline(true);
    const answered = await fetchIn<EmbedResponse>(app, token, '/api/embed', APPLE);
    await context.setOffline(false);
    expect(answered.status).toBe(200);
    expect(answered.body).toEqual((await embed(app, APPLE.prompt)).body);
    expect((await fetchIn(app, 'wrong', '/api/v1/embed', APPLE)).status).toBe(401);
  });

  test('is answered in another tab of the site that has no app', async ({ app }) => {
    const second = await otherTab(app);
    const token = await tokenOf(app);
    expect((await fetchIn<EmbedResponse>(second, token, '/api/embed', APPLE)).body).toEqual(
      (await embed(app, APPLE.prompt)).body,
    );
    await second.close();
  });

  test('streams, and frees the model when its reader goes away', async ({ app }) => {
    await controlled(app);
    const body = await slow(app);
    const jobs = await watchJobs(app);
    const first = await app.evaluate(async (text) => {
      const headers = { Authorization: `Bearer ${lightwell.token}`, Accept: 'application/x-ndjson' };
      const response = await fetch('/api/explain', { method: 'POST', headers, body: text });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const line = (await reader?.read())?.value;
      await reader?.cancel();
      return line;
    }, JSON.stringify(body));
    expect(first).toContain('"progress"');
    expect((await embed(app, 'hello')).status).toBe(200);
    await expect.poll(() => jobs.ends('explain')).toEqual(['cancelled']);
  });

  // Chromium tells its service workers nothing of a fetch that is aborted before its answer, only of a page that is gone.
  test('frees the model when the page that asked is closed', async ({ app }) => {
    const second = await otherTab(app);
    const [token, body] = [await tokenOf(app), await slow(app)];
    const jobs = await watchJobs(app);
    await second.evaluate(
      ([bearer, text]) => {
        const headers = { Authorization: `Bearer ${bearer}` };
        void fetch('/api/explain', { method: 'POST', headers, body: text }).catch(() => undefined);
      },
      [token, JSON.stringify(body)] as const,
    );
    await jobs.begun('explain');
    await second.close();
    expect((await embed(app, 'hello')).status).toBe(200);
    await expect.poll(() => jobs.ends('explain')).toEqual(['cancelled']);
  });

  test('gets a 503 when the tab that was answering is reloaded', async ({ freshApp: app, backend }) => {
    const second = await otherTab(app);
    const token = await tokenOf(app);
    const body = await slow(app);
    const jobs = await watchJobs(app);
    const answered = fetchIn<{ code: string }>(second, token, '/api/explain', body);
    await jobs.begun('explain');
    await open(app, backend);
    expect((await answered).status).toBe(503);
    expect((await answered).body.code).toBe('NO_TAB');
  });
});

ownServer(
  'without an app, fetch of /api/… goes to the server, and programs are told what to open',
  async ({ page: app, server }) => {
    const ask = () => fetch(new URL('/api/embed', server.url), { method: 'POST', body: JSON.stringify(APPLE) });
    await app.goto('/');
    const second = await otherTab(app);
    await expect.poll(async () => (await ask()).status).toBe(401); // the server has a tab, and the token is missing
    await app.close();
    // The server may learn of the closed tab a moment later.
    const answered = async () => {
      const { status, body } = await fetchIn<{ code: string }>(second, 'x', '/api/embed', APPLE);
      return [status, body.code];
    };
    await expect.poll(answered).toEqual([503, 'NO_TAB']);
    const response = await ask();
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await response.text()).toContain(`open ${server.url}`);
  },
);
