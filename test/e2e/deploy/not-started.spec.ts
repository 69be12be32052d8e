import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { SITE, staticFiles } from '../../../server/site/static-files.ts';
import { plain, test } from '../fixture.ts';
import { nodeHost, onHost } from './hosts.ts';

/** A start that takes longer than this counts as failed. */
const LONGEST_WAIT_MS = 5_000;

/** The text shows when its own animation ends; the test does not wait for that. */
async function expectNotStarted(page: Page): Promise<void> {
  const waits = await page.evaluate(() =>
    document.getAnimations().map((animation) => {
      animation.finish();
      return Number(animation.effect?.getComputedTiming().endTime);
    }),
  );
  expect(Math.max(...waits)).toBeLessThanOrEqual(LONGEST_WAIT_MS);
  await expect(page.getByRole('heading', { name: 'Lightwell has not started yet' })).toBeVisible();
}

plain('a page opened as a file says that it needs a web server', async ({ page }) => {
  await page.goto(pathToFileURL(join(SITE, 'index.html')).href);
  await expectNotStarted(page);
  await expect(page.getByText('python3 -m http.server')).toBeVisible();
});

plain('a page without JavaScript says that it needs it', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL ?? '');
  await expectNotStarted(page);
  await expect(page.getByText('JavaScript off?')).toBeVisible();
  await context.close();
});

test('a page whose script does not come says what may help', async ({ page }) => {
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/');
  await expectNotStarted(page);
});

const files = staticFiles(SITE);

const wrongTypes = onHost(() =>
  nodeHost((request, response) => {
    if (!request.url?.endsWith('.js')) return files(request, response);
    response.setHeader('Content-Type', 'text/plain').end('export {};');
  }),
);

wrongTypes('a page whose script comes as another type says which it must be', async ({ page }) => {
  await page.goto('./');
  await expectNotStarted(page);
  await expect(page.getByText('text/javascript')).toBeVisible();
});

test('a usual start never shows that text', async ({ page }) => {
  // Looked at as soon as it is parsed: how long the start takes on this machine says nothing.
  await page.addInitScript(() => {
    const look = () => {
      const text = document.querySelector('.not-started');
      if (text === null) return;
      document.documentElement.dataset['text'] = getComputedStyle(text).visibility;
      observer.disconnect();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await expect(page.locator('.not-started')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-text', 'hidden');
});
