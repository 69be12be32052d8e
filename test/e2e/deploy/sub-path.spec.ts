import { expect } from '@playwright/test';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import { embed, explain, MODEL, scoresOf } from '../calls.ts';
import { BELOW, documentsOf, onHost, PYTHON, pythonHost, started } from './hosts.ts';

const test = onHost(pythonHost);

test.describe('below a path of python3 -m http.server', () => {
  test.skip(PYTHON === undefined, 'Python is not on this machine');

  test('the page isolates itself, explains, answers its own fetch, and is isolated at once when it comes again', async ({
    page,
  }) => {
    const outside: string[] = [];
    page.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url());
      if (protocol.startsWith('http') && !pathname.startsWith(BELOW)) outside.push(request.url());
    });
    const documents = documentsOf(page);
    await page.goto('./?backend=wasm');
    await started(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(documents).toEqual([BELOW, BELOW]); // reloaded once
    const threads = await page.evaluate(() => Math.min(4, navigator.hardwareConcurrency));
    await expect(page.getByTestId('model-badge')).toContainText(`WASM, ${threads} thread`);

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
    await expect(page.getByTestId('transport').filter({ hasText: 'Tabs of this site' })).toContainText(
      `${BELOW}api/embed`,
    );
    await expect(page.getByTestId('transport').filter({ hasText: 'Programs' })).toContainText('Not at this address');

    await page.goto('./index.html?backend=wasm'); // the other name of the page
    await started(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(documents).toEqual([BELOW, BELOW, `${BELOW}index.html`]);
    expect(outside).toEqual([]);
  });
});
