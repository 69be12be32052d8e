import { expect, type Page } from '@playwright/test';
import { serve, type Served } from '../../../server/serve.ts';
import { brokenFolders } from '../../support/files/broken-folders.ts';
import { type Hub, startHub } from '../../support/hub/hub-server.ts';
import { plain as test } from '../fixture.ts';

const ID = 'owner/good';

let hub: Hub;
let server: Served;

test.beforeEach(async () => {
  const files = brokenFolders().get('good') ?? new Map<string, Uint8Array>();
  hub = await startHub(new Map([[ID, { files, licence: 'mit' }]]));
  server = await serve({ port: 0 });
});
test.afterEach(async () => {
  await server.close();
  await hub.close();
});

async function openModels(page: Page): Promise<void> {
  await page.goto(`${server.url}?backend=wasm#/models`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate((address) => void lightwell.settings.set({ hub: address }), hub.url);
  await page.evaluate(async () => void (await lightwell.ready));
  const own = page.getByTestId('own-models');
  if (!(await own.evaluate((details: HTMLDetailsElement) => details.open))) await own.locator('> summary').click();
}

async function lookUp(page: Page, id = ID): Promise<void> {
  await page.getByLabel('Model', { exact: true }).fill(id);
  await page.getByRole('button', { name: 'Look up', exact: true }).click();
}

const tiers = (page: Page) =>
  page.evaluate(async () => {
    const response = await lightwell.fetch('/model-settings', {
      headers: { Authorization: `Bearer ${lightwell.token}` },
    });
    const models = (await response.json()) as { name: string; tier: string }[];
    return models.slice(3).map(({ name, tier }) => `${name}: ${tier}`);
  });

test('a model to start with is looked up by a click, and nothing of it is said that the hub did not say', async ({
  page,
}) => {
  const files = brokenFolders().get('good') ?? new Map<string, Uint8Array>();
  const preset = 'HuggingFaceTB/SmolLM2-135M-Instruct';
  await hub.close();
  hub = await startHub(new Map([[preset, { files, licence: 'apache-2.0' }]]));
  await openModels(page);
  const presets = page.getByTestId('presets');
  await presets.locator('> summary').click();
  const listed = presets.locator(`[data-preset="${preset}"]`);
  await expect(listed).toContainText('Never opened by this project');
  await expect(listed).toContainText('asked of the hub');
  await expect(presets.locator('[data-preset="Xenova/all-MiniLM-L6-v2"]')).toContainText('q8: 23');
  await presets.getByRole('button', { name: `Look up ${preset}` }).click();
  const answer = page.getByTestId('hub-answer');
  await expect(answer).toContainText('apache-2.0');
  await expect(answer).toContainText('while it is in use');
  await answer.getByRole('button', { name: /^Fetch/ }).click();
  await expect.poll(() => tiers(page)).toEqual([`${preset}: steered`]);
});

// What the browser allows is no promise: Chromium says the same to every page, whatever is left.
test('a model that the browser has no room for says so, and goes on once there is room', async ({ page, context }) => {
  await openModels(page);
  const session = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1e6 });
  await lookUp(page);
  await expect(page.getByRole('button', { name: /^Fetch/ })).toBeVisible();
  await page.getByRole('button', { name: /^Fetch/ }).click();
  const item = page.locator(`[data-fetch="${ID}"]`);
  await expect(item).toHaveAttribute('data-state', 'failed');
  await expect(item).toContainText('There is not enough room');
  expect(await tiers(page)).toEqual([]);
  await session.send('Storage.overrideQuotaForOrigin', { origin });
  await page.getByRole('button', { name: `Resume: ${ID}` }).click();
  await expect.poll(() => tiers(page)).toEqual([`${ID}: steered`]);
});
