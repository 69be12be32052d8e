import { expect, type Page } from '@playwright/test';
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
    return transportOf(page, (sent) => inPage(page, { ...sent, path: outside(sent.path) }, 'fetch'));
  },
  'a local server': (_page, { page, server }) =>
    transportOf(page, async ({ path, ...init }) => receivedFrom(await fetch(new URL(outside(path), server.url), init))),
};

/** Where an operation is, outside the page: OpenAI's routes have their own root. */
function outside(path: string): string {
  return path.startsWith('/v1/') ? path : `/api${path}`;
}

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

/** What a row says is broken; undefined where it holds. */
const brokenIn = (holds: Promise<void>): Promise<string | undefined> =>
  holds.then(
    () => undefined,
    (error: unknown) => String(error),
  );

// A transport is one test, because a test of its own costs more than most rows. A row that is broken is told of, and the
// others go on. Both pages are named, so that both are looked at after the last.
for (const [name, openTransport] of Object.entries(TRANSPORTS))
  test(`the contract through ${name} holds row by row`, async ({ app, linked }) => {
    const ask = await askThrough(await openTransport(app, linked));
    for (const { title, rows } of SUITE)
      for (const { rule, source, check } of rows)
        await test.step(`${title}: ${rule} (${source})`, async () =>
          expect.soft(await brokenIn(check(ask)), rule).toBeUndefined());
  });
