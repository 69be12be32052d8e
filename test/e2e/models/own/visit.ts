import { expect, type Page } from '@playwright/test';
import type { ModelSettings } from '../../../../src/contract/models.ts';
import { brokenFolders, type FolderBytes } from '../../../support/files/broken-folders.ts';
import { call } from '../../calls.ts';

/** How many models come with the page; the others are what somebody has brought. */
const EMBEDDED = 3;

/** Opens the Models page of a site where one brings models, once the page's own can answer or has not come. @param hub  in place of the one that is set */
export async function openModels(page: Page, site = '/', hub?: string): Promise<void> {
  await page.goto(`${site}?backend=wasm#/models`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  if (hub !== undefined) await page.evaluate((address) => void lightwell.settings.set({ hub: address }), hub);
  await page.evaluate(() => lightwell.ready.catch(() => undefined));
  const own = page.getByTestId('own-models');
  const isOpen = () => own.evaluate((details: HTMLDetailsElement) => details.open);
  // It opens by itself once kept models are known; a click at that moment closes it.
  await expect(async () => {
    if (!(await isOpen())) await own.locator('> summary').click();
    expect(await isOpen()).toBe(true);
  }).toPass();
}

/** Shows a model on the Models page, and waits until what stands there is the model's. */
export async function showModel(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Models' }).getByRole('link', { name });
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'true');
}

/** What `GET /model-settings` says of the models that somebody has brought. */
export async function brought(page: Page): Promise<readonly ModelSettings[]> {
  const { body } = await call<readonly ModelSettings[]>(page, '/model-settings', undefined, { method: 'GET' });
  return body.slice(EMBEDDED);
}

/** The same, as `name: tier`, in the order of their names. */
export async function tiers(page: Page): Promise<readonly string[]> {
  return (await brought(page)).map(({ name, tier }) => `${name}: ${tier}`).toSorted();
}

/** Asks a model whose graph is rewritten for an explanation, an embedding and a continuation; the statuses. */
export async function works(page: Page, model: string): Promise<readonly number[]> {
  const prompt = 'An apple a day';
  const explained = await call(page, '/explain', { model, prompt, target: ' keeps' });
  const embedded = { model, prompt, layers: [-1], pooling: ['mean'], type: 'default', tokens: false };
  const statuses = [explained.status, (await call(page, '/embed', embedded)).status];
  return [...statuses, (await call(page, '/predict', { model, prompt, maximum_tokens: 3 })).status];
}

/** A folder that opens. */
export function goodFolder(): FolderBytes {
  const files = brokenFolders().get('good');
  if (!files) throw new Error('expected a folder named good');
  return files;
}

/** All bytes of a folder. */
export function sizeOf(files: FolderBytes): number {
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}
