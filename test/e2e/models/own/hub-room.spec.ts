import { expect } from '@playwright/test';
import { ID, lookUp, test } from './hub-fixture.ts';
import { goodFolder, tiers } from './visit.ts';

const PRESET = 'HuggingFaceTB/SmolLM2-135M-Instruct';

test.describe('a hub with a model that the page offers', () => {
  test.use({ published: { id: PRESET, files: goodFolder(), licence: 'apache-2.0' } });

  test('a model to start with is looked up by a click, and nothing of it is said that the hub did not say', async ({
    page,
    openHub,
  }) => {
    await openHub(page);
    const presets = page.getByTestId('presets');
    await presets.locator('> summary').click();
    const listed = presets.locator(`[data-preset="${PRESET}"]`);
    await expect(listed).toContainText('Never opened from the hub by this project');
    await expect(listed).toContainText('not known yet');
    await expect(presets.locator('[data-preset="Xenova/all-MiniLM-L6-v2"]')).toContainText('q8: 23');
    await presets.getByRole('button', { name: `Look up ${PRESET}` }).click();
    const answer = page.getByTestId('hub-answer');
    await expect(answer).toContainText('apache-2.0');
    await expect(answer).toContainText('while it is in use');
    await answer.getByRole('button', { name: /^Fetch/ }).click();
    await expect.poll(() => tiers(page)).toEqual([`${PRESET}: steered`]);
  });
});

// What the browser allows is no promise: Chromium says the same to every page, whatever is left.
test('a model that the browser has no room for says so, and goes on once there is room', async ({
  page,
  context,
  openHub,
}) => {
  await openHub(page);
  const session = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1e6 });
  await lookUp(page);
  await expect(page.getByRole('button', { name: /^Fetch/ })).toBeVisible();
  await page.getByRole('button', { name: /^Fetch/ }).click();
  const item = page.locator(`[data-fetch="${ID}"]`);
  await expect(item).toHaveAttribute('data-state', 'failed');
  await expect(item).toContainText('There is not enough space');
  expect(await tiers(page)).toEqual([]);
  await session.send('Storage.overrideQuotaForOrigin', { origin });
  await page.getByRole('button', { name: `Resume: ${ID}` }).click();
  await expect.poll(() => tiers(page)).toEqual([`${ID}: steered`]);
});
