import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { startServer } from '../../../../server/serve.ts';
import { storyFolder } from '../../../support/files/story-folder.ts';
import { startHub } from '../../../support/hub/hub-server.ts';
import type { CompleteResponse } from '../../../../src/contract/complete.ts';
import type { ExplainResponse } from '../../../../src/contract/explain.ts';
import type { EmbedResponse } from '../../../../src/contract/embed.ts';
import { writeFolders } from '../../../support/hub/written-folders.ts';
import { call, scoresOf } from '../../calls.ts';
import { plain as test } from '../../fixture.ts';
import { dropFolder, withoutDecoder } from '../../visitor.ts';
import { openModels, tiers } from './visit.ts';

const DATA = process.env['LIGHTWELL_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data');
const files = storyFolder(DATA);
const NAME = 'stories/stories260K';

test.skip(files === null, 'no folder ../shared/data (or LIGHTWELL_DATA) with weights that others trained');
test.beforeEach(({ context }) => withoutDecoder(context));

/** Through the contract, and what the page shows of it. */
async function explainsEmbedsAndCompletes(page: Page): Promise<void> {
  await expect.poll(() => tiers(page)).toEqual([`${NAME}: steered`]);
  const model = NAME;
  const prompt = 'Once upon a time, there was a little girl';
  const completed = await call<CompleteResponse>(page, '/complete', { model, prompt, maximum_tokens: 24 });
  expect(completed).toMatchObject({ status: 200, body: { model_version: NAME } });
  expect(completed.body.completions[0]?.completion).toMatch(/^ named \w+\. (She|He) /);
  const explained = await call<ExplainResponse>(page, '/explain', { model, prompt, target: ' named Lily' });
  expect(explained).toMatchObject({ status: 200, body: { model_version: NAME } });
  expect(Math.max(...scoresOf(explained.body).flat())).toBeGreaterThan(0.2);
  const embedded = await call<EmbedResponse>(page, '/embed', {
    model,
    prompt,
    layers: [-1],
    pooling: ['mean'],
    type: 'default',
    tokens: true,
  });
  expect(embedded.status).toBe(200);
  expect(embedded.body.embeddings['layer_5']?.mean).toHaveLength(64);
  expect(embedded.body.tokens?.join('')).toContain('Once upon a time');

  await page.evaluate((name) => void lightwell.settings.set({ defaultModels: { explain: name } }), NAME);
  await expect(page.getByTestId('model-badge')).toContainText(NAME);
  await page.evaluate(() => void lightwell.settings.set({ defaultModels: { explain: null } }));
}

const writeStory = () => writeFolders([[NAME, files ?? new Map<string, Uint8Array>()]]);

test('a story teller that others trained: dropped as a folder', async ({ page }) => {
  const written = writeStory();
  try {
    await openModels(page);
    await dropFolder(page, join(written.path, 'stories'));
    await explainsEmbedsAndCompletes(page);
  } finally {
    written.remove();
  }
});

test('a story teller that others trained: fetched from a hub', async ({ page }) => {
  const hub = await startHub(new Map([[NAME, { files: files ?? new Map(), licence: 'mit' }]]));
  const server = await startServer({ port: 0 });
  try {
    await openModels(page, server.url, hub.url);
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
  const written = writeStory();
  const server = await startServer({ port: 0, models: written.path });
  try {
    await openModels(page, server.url);
    await explainsEmbedsAndCompletes(page);
  } finally {
    await server.close();
    written.remove();
  }
});
