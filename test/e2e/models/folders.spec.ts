import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { brokenFolders } from '../../support/files/broken-folders.ts';
import { plain as test } from '../fixture.ts';

let folder: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lightwell-e2e-folder-'));
  for (const name of ['good', 'graph-pointer'])
    for (const [path, bytes] of brokenFolders().get(name) ?? []) {
      const file = join(folder, 'owner', name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
});
test.afterEach(() => rmSync(folder, { recursive: true }));

async function openModels(page: Page): Promise<void> {
  await page.goto('/?backend=wasm#/models');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  const own = page.getByTestId('own-models');
  if (!(await own.evaluate((details: HTMLDetailsElement) => details.open))) await own.locator('> summary').click();
}

const call = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([to, text]) => {
      const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
      const response = await lightwell.fetch(to, { method: 'POST', body: text, headers });
      return { status: response.status, answer: await response.json() };
    },
    [path, JSON.stringify(body)] as const,
  );

/** As Chromium reports what somebody lets fall on the page. */
async function drop(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
}

test('a dropped folder explains, embeds and completes; it is kept if the visitor says so, and deleted', async ({
  page,
}) => {
  const foreign: string[] = [];
  await openModels(page);
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== new URL(page.url()).origin)
      foreign.push(request.url());
  });
  await drop(page, join(folder, 'owner'));
  await expect(page.getByTestId('folder-outcome')).toContainText('owner/good');
  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'owner/graph-pointer' })).toContainText('git lfs pull');
  const model = 'owner/good';
  const prompt = 'An apple a day';
  const works = async () => {
    const explained = await call(page, '/explain', { model, prompt, target: ' keeps' });
    const embedded = { model, prompt, layers: [-1], pooling: ['mean'], type: 'default', tokens: false };
    const predicted = await call(page, '/predict', { model, prompt, maximum_tokens: 3 });
    return [explained.status, (await call(page, '/embed', embedded)).status, predicted.status];
  };
  expect(await works()).toEqual([200, 200, 200]);
  await page.getByRole('button', { name: `Keep ${model} on this device` }).click();
  await expect(page.locator(`[data-model="${model}"]`)).toContainText('Kept');
  await page.evaluate((name) => void lightwell.settings.set({ defaultModels: { explain: name } }), model);

  rmSync(join(folder, 'owner'), { recursive: true });
  await page.reload();
  await openModels(page);
  await expect(page.locator(`[data-model="${model}"]`)).toContainText('Kept');
  await expect(list.getByRole('link', { name: model })).toBeVisible();
  expect(await works()).toEqual([200, 200, 200]);
  expect(await page.evaluate(() => lightwell.settings.get().defaultModels.explain)).toBe(model);
  await expect(page.getByTestId('model-badge')).toContainText(model);
  await page.getByRole('button', { name: `Delete ${model}` }).click();
  await expect(list.getByRole('link', { name: model })).toHaveCount(0);
  await page.reload();
  await openModels(page);
  await expect(page.getByText('You have not added any yet.')).toBeVisible();
  expect(foreign).toEqual([]);
});

test('a picked folder opens; one without a configuration is refused in words', async ({ page }) => {
  await openModels(page);
  await page.getByTestId('model-folder').setInputFiles(join(folder, 'owner', 'good'));
  await expect(page.getByTestId('folder-outcome')).toContainText('Listed: good.');
  await page.getByTestId('model-folder').setInputFiles(join(folder, 'owner', 'good', 'onnx'));
  await expect(page.getByTestId('folder-outcome')).toContainText('has a config.json');
});
