import { expect, type Page } from '@playwright/test';
import { createAsk, type Ask } from '../../conformance/rows/ask.ts';
import { createDescribed, type OpenApi } from '../../conformance/rows/described.ts';
import { SUITE } from '../../conformance/rows/suite.ts';
import { receivedFrom, type Received, type Sent, type Way } from '../../conformance/rows/way.ts';
import { open, plain as test } from '../fixture.ts';

/** How requests go in, by name; each is opened once for its whole suite, on a page that is ready. */
const WAYS: Readonly<Record<string, (page: Page, address: string) => Promise<Way['send']>>> = {
  'a function in the page': async (page) => (sent) => inPage(page, sent, 'lightwell'),
  'a service worker': async (page) => {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return (sent) => inPage(page, { ...sent, path: `/api${sent.path}` }, 'fetch');
  },
  'a local server': async (_page, address) => {
    // The page has told the server that it is there.
    await expect.poll(async () => (await fetch(`${address}/api/version`)).status).toBe(200);
    return async ({ path, ...init }) => receivedFrom(await fetch(`${address}/api${path}`, init));
  },
};

function inPage(page: Page, sent: Sent, by: 'lightwell' | 'fetch'): Promise<Received> {
  return page.evaluate(
    async ([{ path, ...init }, way]) => {
      const response = await (way === 'fetch' ? fetch(path, init) : lightwell.fetch(path, init));
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, headers, text: await response.text() };
    },
    [sent, by] as const,
  );
}

for (const [name, openWay] of Object.entries(WAYS))
  test.describe(`the contract by ${name}`, () => {
    let page: Page;
    let ask: Ask;

    test.beforeAll(async ({ browser, baseURL, backend }) => {
      page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
      await open(page, backend);
      const send = await openWay(page, new URL(page.url()).origin);
      const { text } = await send({ method: 'GET', path: '/openapi.json', headers: {} });
      const token = await page.evaluate(() => lightwell.token);
      // What the service says of itself; a wrong shape shows in the first row.
      ask = createAsk({ token, send }, createDescribed(JSON.parse(text) as OpenApi));
    });
    test.afterAll(() => page.close());

    for (const { title, rows } of SUITE)
      for (const { rule, source, check } of rows) test(`${title}: ${rule} (${source})`, () => check(ask));
  });
