import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { SITE, staticFiles } from '../../../server/site/static-files.ts';
import { plain } from '../fixture.ts';
import { test } from './hosts.ts';

const text = (page: Page) => page.getByRole('heading', { name: 'Lightwell has not started yet' });

plain('a page opened as a file says that it needs a web server', async ({ page }) => {
  await page.goto(pathToFileURL(join(SITE, 'index.html')).href);
  await expect(text(page)).toBeVisible();
  await expect(page.getByText('python3 -m http.server')).toBeVisible();
});

plain('a page without JavaScript says that it needs it', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL ?? '');
  await expect(page.getByText('and needs JavaScript')).toBeVisible();
  await context.close();
});

test.describe('a page whose script does not come', () => {
  test.use({ baseURL: undefined });

  test('says so when the network fails', async ({ page, hosts }) => {
    const url = await hosts.node(staticFiles(SITE));
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(url);
    await expect(text(page)).toBeVisible();
  });

  test('says so when the host sends it as another type', async ({ page, hosts }) => {
    const files = staticFiles(SITE);
    const url = await hosts.node((request, response) => {
      if (!request.url?.endsWith('.js')) return files(request, response);
      response.setHeader('Content-Type', 'text/plain').end('export {};');
    });
    await page.goto(url);
    await expect(text(page)).toBeVisible();
    await expect(page.getByText('text/javascript')).toBeVisible();
  });
});

test('a usual start never shows that text', async ({ page }) => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const shown = document.querySelector('.not-started');
      document.documentElement.dataset['hid'] = String(
        shown !== null && getComputedStyle(shown).visibility === 'hidden',
      );
    });
  });
  await page.goto('/');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await expect(page.locator('.not-started')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-hid', 'true');
});
