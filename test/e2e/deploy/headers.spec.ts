import { expect } from '@playwright/test';
import { SITE, staticFiles } from '../../../server/site/static-files.ts';
import { test } from './hosts.ts';

test.use({ baseURL: undefined });

test('a host that sends the headers is not reloaded, and its files do not pass the service worker', async ({
  page,
  hosts,
}) => {
  const url = await hosts.node(staticFiles(SITE));
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });
  await page.goto(`${url}/?backend=wasm`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(`${url}/service-worker.js`);
  expect(documents).toEqual([`${url}/?backend=wasm`]);
});

test('a page that cannot be isolated is reloaded once, starts on one thread and says so', async ({ page, hosts }) => {
  const files = staticFiles(SITE);
  const documents: string[] = [];
  const url = await hosts.node((request, response) => {
    if (request.url === '/') documents.push(request.url);
    response.setHeaders = () => response; // sends none of ours
    response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
    files(request, response);
  });
  await page.goto(url);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(documents).toHaveLength(2);
  await page.getByTestId('model-badge').hover();
  await expect(page.getByText('not cross-origin isolated')).toBeVisible();
});
