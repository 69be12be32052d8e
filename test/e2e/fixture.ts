import { expect, test as base, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { startServer, type RunningServer } from '../../server/serve.ts';
import { makeReturning } from '../support/returning.ts';

/** What a project of the configuration chooses. */
export interface Options {
  readonly backend: 'wasm' | 'webgpu';
  /** Whether the test's own visitor was there before; a first visit explains its example at once. */
  readonly isReturning: boolean;
}

/** What a context's pages did that they must not do. */
interface Seen {
  /** Addresses of requests that left the page's origin. */
  readonly foreignRequests: string[];
  /** Errors that nobody caught in a page. */
  readonly pageErrors: string[];
}

/** A page that many tests use, with what was seen of it since the last of them. */
interface SharedPage {
  readonly page: Page;
  readonly seen: Seen;
}

/** A server of a worker's own, and the page that answers for it. */
export interface Linked {
  readonly server: RunningServer;
  readonly page: Page;
}

interface Fixtures {
  /** What the pages of the test's own context did; checked after the test, and empty then. */
  readonly seen: Seen;
  /** A page of the test's own, in a fresh profile, with its model ready to answer. */
  readonly freshApp: Page;
  /** The shared page, at its start. For tests that leave nothing behind that another would mind. */
  readonly app: Page;
  /** A server of its own with one tab, shared as `app` is. */
  readonly linked: Linked;
}

interface WorkerFixtures {
  readonly sharedPage: SharedPage;
  readonly sharedLink: SharedPage & Linked;
}

/** Tests that watch no page of ours. */
export const plain = base.extend<Options>({
  backend: ['wasm', { option: true }],
  isReturning: [false, { option: true }],
});

/** Tests of the built page. Whatever a test is about, nothing may leave the origin and nothing may go uncaught. */
export const test = base.extend<Fixtures & Options, WorkerFixtures>({
  backend: ['wasm', { option: true }],
  isReturning: [true, { option: true }],

  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  seen: async ({}, use) => {
    const seen: Seen = { foreignRequests: [], pageErrors: [] };
    await use(seen);
    expectNothing(seen);
  },

  context: async ({ context, baseURL, seen, isReturning }, use) => {
    watch(context, baseURL, seen);
    if (isReturning) await makeReturning(context);
    await use(context);
  },

  freshApp: async ({ page, backend }, use) => {
    await open(page, backend);
    await use(page);
  },

  sharedPage: [
    async ({ browser }, use, { project }) => {
      const { baseURL, backend } = project.use as { baseURL: string } & Options; // as the configuration says
      const shared = await openShared(browser, baseURL, backend);
      await use(shared);
      await shared.page.context().close();
      expectNothing(shared.seen);
    },
    { scope: 'worker' },
  ],

  app: async ({ sharedPage: { page, seen } }, use) => {
    await page.evaluate(() => void (location.hash = ''));
    await use(page);
    expectNothing(seen);
  },

  sharedLink: [
    async ({ browser }, use, { project }) => {
      const server = await startServer({ port: 0 });
      const { backend } = project.use as Options; // as the configuration says
      const shared = await openShared(browser, server.url, backend);
      // The page has told the server that it is there: what has no token is refused, not told to open a page.
      await expect.poll(async () => (await fetch(new URL('/api/model-settings', server.url))).status).toBe(401);
      await use({ ...shared, server });
      await shared.page.context().close();
      await server.close();
      expectNothing(shared.seen);
    },
    { scope: 'worker' },
  ],

  linked: async ({ sharedLink: { server, page, seen } }, use) => {
    await use({ server, page });
    expectNothing(seen);
  },
});

/** Open the page on one backend and wait until its model can answer. */
export async function open(page: Page, backend: Options['backend']): Promise<void> {
  await page.goto(`/?backend=${backend}`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
}

async function openShared(browser: Browser, baseURL: string, backend: Options['backend']): Promise<SharedPage> {
  const context = await browser.newContext({ baseURL });
  const seen: Seen = { foreignRequests: [], pageErrors: [] };
  watch(context, baseURL, seen);
  await makeReturning(context);
  const page = await context.newPage();
  await open(page, backend);
  return { page, seen };
}

/** What the browser says of something that was tried, and held back. */
const HELD_BACK = /Content Security Policy|requires 'Trusted/;

function watch(context: BrowserContext, baseURL: string | undefined, { foreignRequests, pageErrors }: Seen): void {
  context.on('request', (request) => {
    if (isForeign(request.url(), baseURL)) foreignRequests.push(request.url());
  });
  context.on('console', (message) => {
    if (HELD_BACK.test(message.text())) foreignRequests.push(message.text());
  });
  context.on('weberror', (error) => pageErrors.push(error.error().message));
}

/** Checks what was seen, and forgets it, so that each test answers for itself. */
function expectNothing({ foreignRequests, pageErrors }: Seen): void {
  expect(foreignRequests.splice(0), 'requests to another origin').toEqual([]);
  expect(pageErrors.splice(0), 'uncaught errors').toEqual([]);
}

/** `data:` and `blob:` never reach a network. */
function isForeign(url: string, baseURL: string | undefined): boolean {
  return /^(https?|wss?):/.test(url) && new URL(url).origin !== new URL(baseURL ?? '').origin;
}
