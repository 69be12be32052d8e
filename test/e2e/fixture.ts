import { expect, test as base, type Page } from '@playwright/test';

/** What a project of the configuration chooses. */
export interface Options {
  readonly backend: 'wasm' | 'webgpu';
}

interface Fixtures {
  /** Addresses of requests that left the page's origin; checked after every test, and empty then. */
  readonly foreignRequests: string[];
  /** Errors that nobody caught in the page; checked after every test, and empty then. */
  readonly pageErrors: string[];
  /** The page, opened, with its model ready to answer. */
  readonly app: Page;
}

/** Tests that open their page themselves, many on the same one. */
export const plain = base.extend<Options>({ backend: ['wasm', { option: true }] });

/** Tests of the built page. Whatever a test is about, nothing may leave the origin and nothing may go uncaught. */
export const test = plain.extend<Fixtures>({
  foreignRequests: [
    async ({ context, baseURL }, use) => {
      const urls: string[] = [];
      context.on('request', (request) => {
        if (isForeign(request.url(), baseURL)) urls.push(request.url());
      });
      context.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) urls.push(message.text()); // tried, and held back
      });
      await use(urls);
      expect(urls, 'requests to another origin').toEqual([]);
    },
    { auto: true },
  ],

  pageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await use(errors);
      expect(errors, 'uncaught errors').toEqual([]);
    },
    { auto: true },
  ],

  app: async ({ page, backend }, use) => {
    await open(page, backend);
    await use(page);
  },
});

/** Open the page on one backend and wait until its model can answer. */
export async function open(page: Page, backend: Options['backend']): Promise<void> {
  await page.goto(`/?backend=${backend}`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
}

/** `data:` and `blob:` never reach a network. */
function isForeign(url: string, baseURL: string | undefined): boolean {
  return /^(https?|wss?):/.test(url) && new URL(url).origin !== new URL(baseURL ?? '').origin;
}
