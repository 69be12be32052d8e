import { expect, type Page } from '@playwright/test';
import { SITE, staticFiles } from '../../../server/site/static-files.ts';
import { nodeHost, onHost } from './hosts.ts';

const files = staticFiles(SITE);

/** What the port serves from some moment on: a project that knows nothing of ours. */
let isOthers = false;

const test = onHost(() =>
  nodeHost((request, response) => {
    if (!isOthers) return files(request, response);
    const answers = new Map([
      ['/', ['text/html', '<!doctype html><title>Other</title>']],
      ['/api/users', ['application/json', '["Ada"]']],
    ] as const);
    const [type, body] = answers.get(request.url as '/') ?? ['text/plain', ''];
    response.writeHead(body === '' ? 404 : 200, { 'Content-Type': type }).end(body);
  }),
);

const registrations = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

test('the page says what else is kept at its address, and leaves what comes after it alone', async ({ page }) => {
  await page.goto('./service-worker.js');
  await page.evaluate(() => localStorage.setItem('todos', '[]'));
  await page.goto('./?backend=wasm');
  await page.getByText('Other software uses this address').click();
  await expect(page.getByTestId('occupants').getByRole('listitem')).toHaveText(['storage todos']);
  await page.getByTestId('occupants').getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByTestId('occupants')).toHaveCount(0);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.getByRole('link', { name: 'Runs on your device' }).click();
  await page.getByRole('button', { name: 'Fetch what is missing' }).click(); // from then on the page comes from here
  await expect(page.getByTestId('offline')).toContainText('Everything this page needs is on this device.');
  const kept = await page.reload();
  expect(kept?.fromServiceWorker()).toBe(true);

  isOthers = true;
  const response = await page.goto('./');
  expect(response?.headers()['content-security-policy']).toBeUndefined();
  // Once, or at the next visit: the page that is left may be about to register the service worker, which keeps it that long.
  await expect(async () => {
    await page.reload();
    expect(await registrations(page)).toBe(0);
  }).toPass();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  expect(await page.evaluate(async () => (await fetch('/api/users')).json())).toEqual(['Ada']);
});
