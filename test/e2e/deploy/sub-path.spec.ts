import { expect, type Page } from '@playwright/test';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import { embed, explain, MODEL, scoresOf } from '../calls.ts';
import { BELOW, PYTHON, test } from './hosts.ts';

/** Counts the documents that a page loads: the first, and each reload. */
function documentsOf(page: Page): string[] {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  return documents;
}

async function started(page: Page): Promise<void> {
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
}

test.describe('below a path of python3 -m http.server', () => {
  test.skip(PYTHON === undefined, 'Python is not on this machine');

  // Python is another origin than the configured server; nothing may leave it either.
  test.use({ baseURL: undefined });

  test('the page isolates itself, explains, and answers its own fetch', async ({ page, hosts }) => {
    const foreign: string[] = [];
    const documents = documentsOf(page);
    const url = await hosts.python();
    page.on('request', (request) => {
      if (/^(http|ws)/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url());
    });
    await page.goto(`${url}?backend=wasm`);
    await started(page);

    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(documents).toEqual([BELOW, BELOW]); // reloaded once
    await expect(page.getByTestId('model-badge')).toContainText(/WASM, ([2-9]|\d\d) threads|WASM, 1 thread$/);

    const { status, body } = await explain(page, 'An apple a day keeps the doctor', ' away');
    expect(status).toBe(200);
    expect(scoresOf(body)[0]?.length).toBeGreaterThan(3);

    const answered = await page.evaluate(async (model) => {
      const headers = { Authorization: `Bearer ${lightwell.token}` };
      const init = { method: 'POST', headers, body: JSON.stringify({ model, prompt: 'An apple a day' }) };
      const response = await fetch('api/v1/embed', init);
      return { status: response.status, body: (await response.json()) as EmbedResponse };
    }, MODEL);
    expect(answered).toEqual(await embed(page, 'An apple a day'));

    await page.getByRole('link', { name: 'API', exact: true }).click();
    await expect(page.getByTestId('way').filter({ hasText: 'Tabs of this site' })).toContainText(`${BELOW}api/embed`);
    await expect(page.getByTestId('way').filter({ hasText: 'Programs' })).toContainText('Not at this address');
    expect(foreign).toEqual([]);
  });

  test('a second visit is isolated at once, by either name of the page', async ({ page, hosts }) => {
    const url = await hosts.python();
    await page.goto(url);
    await started(page);
    const documents = documentsOf(page);
    await page.goto(`${url}index.html`);
    await started(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(documents).toEqual([`${BELOW}index.html`]);
  });
});
