import { expect } from '@playwright/test';
import { hashOfToken } from '../../../src/protocol/frames/frames.ts';
import { openTab } from '../../support/fakes/fake-tab.ts';
import { MODEL } from '../calls.ts';
import { test } from '../fixture.ts';

/** Resolves to this machine: `browser.ts` says so to the browser. */
const REBOUND = 'rebound.example';

test.describe('what a program asks the page', () => {
  test('is seen by no other tab, however much that one is looked at', async ({ linked: { page, server } }) => {
    const spies = [
      await openTab(server.url, { attention: 'focused', allowedOrigins: ['https://evil.example'] }),
      await openTab(server.url, { attention: 'focused', tokenHash: await hashOfToken('') }),
    ];
    const token = await page.evaluate(() => lightwell.token);
    const ask = (authorization: string) =>
      fetch(new URL('/api/embed', server.url), {
        method: 'POST',
        headers: { Authorization: authorization },
        body: JSON.stringify({ model: MODEL, prompt: 'An apple a day' }),
      });
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
    for (const wrong of ['Bearer ', 'Bearer wrong', `Bearer ${'0'.repeat(64)}`])
      expect((await ask(wrong)).status).toBe(401);
    expect(spies.flatMap(({ received }) => received)).toEqual([]);
    await Promise.all(spies.map((spy) => spy.close()));
  });

  test('follows a token that is replaced, and the old one leads nowhere', async ({ linked: { page, server } }) => {
    const before = await page.evaluate(() => lightwell.token);
    const after = await page.evaluate(() => lightwell.replaceToken());
    const ask = async (token: string): Promise<number> =>
      (await fetch(new URL('/api/model-settings', server.url), { headers: { Authorization: `Bearer ${token}` } }))
        .status;
    await expect.poll(() => ask(after)).toBe(200);
    expect(await ask(before)).toBe(401);
  });
});

test('another name for this machine gets no file, no answer and no line', async ({ browser, linked }) => {
  const { port } = new URL(linked.server.url);
  const context = await browser.newContext();
  const page = await context.newPage();
  const response = await page.goto(`http://${REBOUND}:${port}/`);
  expect(response?.status()).toBe(403);
  const outcomes = await page.evaluate(async () => {
    const statuses = await Promise.all(
      ['/index.html', '/api/version', '/api/bridge'].map(async (path) => (await fetch(path)).status),
    );
    const line = new WebSocket(`ws://${location.host}/api/bridge`, 'lightwell.bridge.4');
    const end = await new Promise<string>((resolve) => {
      line.addEventListener('open', () => resolve('open'));
      line.addEventListener('error', () => resolve('refused'));
    });
    return [...statuses, end];
  });
  expect(outcomes).toEqual([403, 403, 403, 'refused']);
  await context.close();
});

test('a page of another origin cannot frame the page, nor load a script of it', async ({ browser, linked }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent(`<iframe src="${linked.server.url}"></iframe>`);
  await expect.poll(() => page.frames().length).toBe(2);
  const loaded = await page.evaluate(
    (src) =>
      new Promise<string>((resolve) => {
        const script = Object.assign(document.createElement('script'), { type: 'module', src });
        script.addEventListener('load', () => resolve('loaded'));
        script.addEventListener('error', () => resolve('refused'));
        document.head.append(script);
      }),
    `${linked.server.url}client.js`,
  );
  expect(loaded).toBe('refused');
  expect(await page.frames()[1]?.content()).not.toContain('Lightwell has not started yet');
  await context.close();
});

test('text becomes neither HTML nor a script in the page', async ({ app: page, sharedPage: { seen } }) => {
  const outcomes = await page.evaluate(() => {
    const attempts: Readonly<Record<string, () => unknown>> = {
      html: () => (document.createElement('div').innerHTML = '<img src="x">'),
      worker: () => new Worker('/models/lightwell-base/config.json'),
      elsewhere: () => new Worker('https://evil.example/worker.js'),
      script: () => (document.createElement('script').text = 'alert(1)'),
    };
    return Object.entries(attempts).map(([name, attempt]) => {
      try {
        attempt();
        return `${name} passed`;
      } catch (error) {
        return `${name}: ${error instanceof Error ? error.name : String(error)}`;
      }
    });
  });
  expect(outcomes).toEqual(['html', 'worker', 'elsewhere', 'script'].map((name) => `${name}: TypeError`));
  expect(seen.foreignRequests.splice(0).join()).toContain("requires 'TrustedHTML' assignment");
});
