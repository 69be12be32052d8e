import type { Page } from '@playwright/test';
import { createAsk, type Ask } from '../../conformance/rows/ask.ts';
import { createDescribed, type OpenApi } from '../../conformance/rows/described.ts';
import { SUITE } from '../../conformance/rows/suite.ts';
import { receivedFrom, type Received, type Sent, type Way } from '../../conformance/rows/way.ts';
import { test, type Linked } from '../fixture.ts';

/** How requests go in, by name: through the shared page, or through a server with a page behind it. */
const WAYS: Readonly<Record<string, (page: Page, linked: Linked) => Promise<Way>>> = {
  'a function in the page': (page) => wayOf(page, (sent) => inPage(page, sent, 'lightwell')),
  'a service worker': async (page) => {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return wayOf(page, (sent) => inPage(page, { ...sent, path: `/api${sent.path}` }, 'fetch'));
  },
  'a local server': (_page, { page, server }) =>
    wayOf(page, async ({ path, ...init }) => receivedFrom(await fetch(new URL(`/api${path}`, server.url), init))),
};

/** @param page  the one that answers */
async function wayOf(page: Page, send: Way['send']): Promise<Way> {
  return { send, token: await page.evaluate(() => lightwell.token) };
}

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

/** What comes is judged by what the service says of itself; a wrong shape shows in the first row. */
async function askThrough(way: Way): Promise<Ask> {
  const { text } = await way.send({ method: 'GET', path: '/openapi.json', headers: {} });
  return createAsk(way, createDescribed(JSON.parse(text) as OpenApi));
}

for (const [name, openWay] of Object.entries(WAYS))
  test.describe(`the contract by ${name}`, () => {
    let ask: Ask;
    test.beforeAll(async ({ sharedPage, sharedLink }) => {
      ask = await askThrough(await openWay(sharedPage.page, sharedLink));
    });

    // Both pages are named, so that both are looked at after each row.
    for (const { title, rows } of SUITE)
      for (const { rule, source, check } of rows)
        test(`${title}: ${rule} (${source})`, ({ app: _app, linked: _linked }) => check(ask));
  });
