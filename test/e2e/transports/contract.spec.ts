import type { Page } from '@playwright/test';
import { receivedFrom, type Received, type Sent, type Transport } from '../../conformance/transport/transport.ts';
import { test, type Linked } from '../fixture.ts';
import { checkRows, outside } from './rows.ts';

/** The transports, by name: through the shared page, or through a server with a page behind it. */
const TRANSPORTS: Readonly<Record<string, (page: Page, linked: Linked) => Promise<Transport>>> = {
  'a function in the page': (page) => transportOf(page, (sent) => inPage(page, sent, 'lightwell')),
  'a service worker': async (page) => {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return transportOf(page, (sent) => inPage(page, { ...sent, path: outside(sent.path) }, 'fetch'));
  },
  'a local server': (_page, { page, server }) =>
    transportOf(page, async ({ path, ...init }) => receivedFrom(await fetch(new URL(outside(path), server.url), init))),
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

// A transport is one test, because a test of its own costs more than most rows. Both pages are named, so that both are looked
// at after the last.
for (const [name, openTransport] of Object.entries(TRANSPORTS))
  test(`the contract through ${name} holds row by row`, async ({ app, linked }) =>
    checkRows(await openTransport(app, linked)));
