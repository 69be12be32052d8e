import { expect } from '@playwright/test';
import { SITE, staticFiles } from '../../../server/site/static-files.ts';
import { documentsOf, nodeHost, onHost, started } from './hosts.ts';

const files = staticFiles(SITE);

const withHeaders = onHost(() => nodeHost(files));

withHeaders(
  'a host that sends the headers is not reloaded, and isolates as before with the service worker at work',
  async ({ page, host }) => {
    const documents = documentsOf(page);
    const controlled = () => page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.goto('./?backend=wasm');
    await controlled();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const script = await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
    expect(script).toBe(`${host.url}service-worker.js`); // it is not asked to isolate
    expect(documents).toEqual(['/']);
    await page.reload();
    await controlled();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  },
);

/** Its own headers contradict isolation, and are left as they are. */
const against = onHost(() =>
  nodeHost((request, response) => {
    response.setHeaders = () => response; // none of ours
    response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
    files(request, response);
  }),
);

against('a page that cannot be isolated is reloaded once, starts on one thread and says so', async ({ page }) => {
  const documents = documentsOf(page);
  await page.goto('./?backend=wasm');
  await started(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(documents).toEqual(['/', '/']);
  await expect(page.getByTestId('model-badge')).toContainText('WASM, 1 thread');
  await page.getByTestId('model-badge').hover();
  await expect(page.getByText('not cross-origin isolated')).toBeVisible();
});
