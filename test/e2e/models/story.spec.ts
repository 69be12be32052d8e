import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { serve } from '../../../server/serve.ts';
import { storyFolder } from '../../support/files/story-folder.ts';
import { startHub } from '../../support/hub/hub-server.ts';
import { plain as test } from '../fixture.ts';

const DATA = process.env['LIGHTWELL_DATA'] ?? join(import.meta.dirname, '../../../../shared/data');
const files = storyFolder(DATA);
const NAME = 'stories/stories260K';

test.skip(files === null, 'no folder ../shared/data (or LIGHTWELL_DATA) with weights that others trained');

async function openModels(page: Page, url: string): Promise<void> {
  await page.goto(`${url}?backend=wasm#/models`);
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

/** The model's tier, once it is listed. */
const tier = (page: Page) =>
  page.evaluate(async (name) => {
    const response = await lightwell.fetch('/model-settings', {
      headers: { Authorization: `Bearer ${lightwell.token}` },
    });
    const models = (await response.json()) as { name: string; tier: string }[];
    return models.find((model) => model.name === name)?.tier;
  }, NAME);

/** Through the contract, and what the page shows of it. */
async function explainsEmbedsAndCompletes(page: Page): Promise<void> {
  await expect.poll(() => tier(page)).toBe('steered');
  const model = NAME;
  const prompt = 'Once upon a time, there was a little girl';
  const written = await call(page, '/complete', { model, prompt, maximum_tokens: 24 });
  expect(written).toMatchObject({ status: 200, answer: { model_version: NAME } });
  expect(written.answer.completions[0].completion).toMatch(/^ named \w+\. (She|He) /);
  const explained = await call(page, '/explain', { model, prompt, target: ' named Lily' });
  expect(explained).toMatchObject({ status: 200, answer: { model_version: NAME } });
  const [{ items }] = explained.answer.explanations;
  const scores = items[0].scores.map(({ score }: { score: number }) => score);
  expect(Math.max(...scores)).toBeGreaterThan(0.2);
  const embedded = await call(page, '/embed', {
    ...{ model, prompt, layers: [-1], pooling: ['mean'], type: 'default', tokens: true },
  });
  expect(embedded.status).toBe(200);
  expect(embedded.answer.embeddings.layer_5.mean).toHaveLength(64);
  expect(embedded.answer.tokens.join('')).toContain('Once upon a time');

  await page.evaluate((name) => void lightwell.settings.set({ defaultModels: { explain: name } }), NAME);
  await expect(page.getByTestId('model-badge')).toContainText(NAME);
  await page.evaluate(() => void lightwell.settings.set({ defaultModels: { explain: null } }));
}

function writeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-e2e-story-'));
  for (const [path, bytes] of files ?? []) {
    const file = join(folder, NAME, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  return folder;
}

test('a story teller that others trained: dropped as a folder', async ({ page, context }) => {
  const folder = writeFolder();
  try {
    await openModels(page, '/');
    const session = await context.newCDPSession(page);
    const data = { items: [], files: [join(folder, 'stories')], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
    await explainsEmbedsAndCompletes(page);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a story teller that others trained: fetched from a hub', async ({ page }) => {
  const hub = await startHub(new Map([[NAME, { files: files ?? new Map(), licence: 'mit' }]]));
  const server = await serve({ port: 0 });
  try {
    await openModels(page, server.url);
    await page.evaluate((address) => void lightwell.settings.set({ hub: address }), hub.url);
    await page.getByLabel('Model', { exact: true }).fill(NAME);
    await page.getByRole('button', { name: 'Look up', exact: true }).first().click();
    await expect(page.getByTestId('hub-answer')).toContainText('while it is in use');
    await page.getByRole('button', { name: /^Fetch .* under mit$/ }).click();
    await explainsEmbedsAndCompletes(page);
  } finally {
    await server.close();
    await hub.close();
  }
});

test('a story teller that others trained: served by the local server', async ({ page }) => {
  const folder = writeFolder();
  const server = await serve({ port: 0, models: folder });
  try {
    await openModels(page, server.url);
    await explainsEmbedsAndCompletes(page);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
