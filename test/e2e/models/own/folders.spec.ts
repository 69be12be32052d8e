import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { brokenFolders } from '../../../support/files/broken-folders.ts';
import { writeFolders, type WrittenFolders } from '../../../support/hub/written-folders.ts';
import { test } from '../../fixture.ts';
import { dropFolder } from '../../visitor.ts';
import { goodFolder, openModels, works } from './visit.ts';

let written: WrittenFolders;

test.beforeEach(() => {
  const pointer = brokenFolders().get('graph-pointer') ?? new Map<string, Uint8Array>();
  written = writeFolders([
    ['owner/good', goodFolder()],
    ['owner/graph-pointer', pointer],
  ]);
});
test.afterEach(() => written.remove());

test('a dropped folder explains, embeds and completes; it is kept if the visitor says so, and deleted', async ({
  page,
}) => {
  await openModels(page);
  await dropFolder(page, join(written.path, 'owner'));
  await expect(page.getByTestId('folder-outcome')).toContainText('owner/good');
  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'owner/graph-pointer' })).toContainText('git lfs pull');
  const model = 'owner/good';
  expect(await works(page, model)).toEqual([200, 200, 200]);
  await page.getByRole('button', { name: `Store ${model} on this device` }).click();
  await expect(page.locator(`[data-model="${model}"]`)).toContainText('Stored');
  await page.getByRole('link', { name: 'Explain', exact: true }).click();
  await page.getByLabel('Model', { exact: true }).selectOption(model); // beside the button that asks it
  await expect(page.getByTestId('model-badge')).toContainText(model);

  rmSync(join(written.path, 'owner'), { recursive: true });
  await page.reload();
  await openModels(page);
  await expect(page.locator(`[data-model="${model}"]`)).toContainText('Stored');
  await expect(list.getByRole('link', { name: model })).toBeVisible();
  expect(await works(page, model)).toEqual([200, 200, 200]);
  expect(await page.evaluate(() => lightwell.settings.get().defaultModels.explain)).toBe(model);
  await expect(page.getByTestId('model-badge')).toContainText(model);
  await page.getByRole('button', { name: `Delete ${model}` }).click();
  await expect(list.getByRole('link', { name: model })).toHaveCount(0);
  await page.reload();
  await openModels(page);
  await expect(page.getByText('You have not added any yet.')).toBeVisible();
});

test('a picked folder opens; one without a configuration is refused in words', async ({ page }) => {
  await openModels(page);
  await page.getByTestId('model-folder').setInputFiles(join(written.path, 'owner', 'good'));
  await expect(page.getByTestId('folder-outcome')).toContainText('Listed: good.');
  await page.getByTestId('model-folder').setInputFiles(join(written.path, 'owner', 'good', 'onnx'));
  await expect(page.getByTestId('folder-outcome')).toContainText('has a config.json');
});
