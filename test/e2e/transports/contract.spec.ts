import type { Page } from '@playwright/test';
import { createAsk, type Ask } from '../../conformance/transport/ask.ts';
import { createDescribed, type OpenApi } from '../../conformance/rows/described.ts';
import { SUITE } from '../../conformance/rows/suite.ts';
import { receivedFrom, type Received, type Sent, type Transport } from '../../conformance/transport/transport.ts';
import { test, type Linked } from '../fixture.ts';

/** The transports, by name: through the shared page, or through a server with a page behind it. */
const TRANSPORTS: Readonly<Record<string, (page: Page, linked: Linked) => Promise<Transport>>> = {
  'a function in the page': (page) => transportOf(page, (sent) => inPage(page, sent, 'lightwell')),
  'a service worker': async (page) => {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return transportOf(page, (sent) => inPage(page, { ...sent, path: `/api${sent.path}` }, 'fetch'));
  },
  'a local server': (_page, { page, server }) =>
    transportOf(page, async ({ path, ...init }) => receivedFrom(await fetch(new URL(`/api${path}`, server.url), init))),
};

/** @param page  the one that answers */
async function transportOf(page: Page, send: Transport['send']): Promise<Transport> {
  return { send, token: await page.evaluate(() => lightwell.token) };
}

function inPage(page: Page, sent: Sent, by: 'lightwell' | 'fetch'): Promise<Received> {
  return page.evaluate(
    async ([{ path, ...init }, transport]) => {
      const response = await (transport === 'fetch' ? fetch(path, init) : lightwell.fetch(path, init));
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, headers, text: await response.text() };
    },
    [sent, by] as const,
  );
}

/** What comes is judged by what the service says of itself; a wrong shape shows in the first row. */
async function askThrough(transport: Transport): Promise<Ask> {
  const { text } = await transport.send({ method: 'GET', path: '/openapi.json', headers: {} });
  return createAsk(transport, createDescribed(JSON.parse(text) as OpenApi));
}

for (const [name, openTransport] of Object.entries(TRANSPORTS))
  test.describe(`the contract through ${name}`, () => {
    let ask: Ask;
    test.beforeAll(async ({ sharedPage, sharedLink }) => {
      ask = await askThrough(await openTransport(sharedPage.page, sharedLink));
    });

    // Both pages are named, so that both are looked at after each row.
    for (const { title, rows } of SUITE)
      for (const { rule, source, check } of rows)
        test(`${title}: ${rule} (${source})`, ({ app: _app, linked: _linked }) => check(ask));
  });
