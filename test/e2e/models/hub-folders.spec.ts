import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { plain as test } from '../fixture.ts';

const DATA = process.env['LIGHTWELL_DATA'] ?? join(import.meta.dirname, '../../../../shared/data');
const MADE = join(DATA, 'hub-made');
const POINTERS = join(DATA, 'hub');

/** What `make-hub-folders.py` notes of a folder. */
interface Expected {
  readonly texts: readonly string[];
  readonly vectors: Readonly<Record<string, readonly (readonly number[])[]>>;
}

/** Folders of a hub, as `owner/name`. */
const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((owner) => statSync(join(folder, owner)).isDirectory())
    .flatMap((owner) => readdirSync(join(folder, owner)).map((name) => `${owner}/${name}`));

async function drop(page: Page, folders: readonly string[]): Promise<void> {
  await page.goto('/?backend=wasm#/models');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...folders], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
}

const listed = (page: Page) =>
  page.evaluate(async () => {
    const response = await lightwell.fetch('/model-settings', {
      headers: { Authorization: `Bearer ${lightwell.token}` },
    });
    const models = (await response.json()) as { name: string; tier: string; reason: string | null }[];
    return models.slice(3);
  });

test('folders of the hub give the vectors of sentence-transformers when they are dropped', async ({ page }) => {
  test.skip(!existsSync(MADE), 'make-hub-folders.py makes them in ../shared/data/hub-made');
  const names = namesIn(MADE);
  await drop(
    page,
    readdirSync(MADE).map((owner) => join(MADE, owner)),
  );
  await expect.poll(async () => (await listed(page)).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  for (const model of names) {
    const { texts, vectors } = JSON.parse(readFileSync(join(MADE, model, 'expected.json'), 'utf8')) as Expected;
    for (const [representation, expected] of Object.entries(vectors)) {
      const found = await page.evaluate(
        async (text) => {
          const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
          const response = await lightwell.fetch('/batch_semantic_embed', { method: 'POST', body: text, headers });
          return (await response.json()) as { embeddings: number[][] };
        },
        JSON.stringify({ model, prompts: texts, representation, normalize: true }),
      );
      const largest = Math.max(
        ...expected.flatMap((vector, i) =>
          vector.map((value, k) => Math.abs(value - (found.embeddings[i]?.[k] ?? NaN))),
        ),
      );
      console.log(`${model}, ${representation}: largest difference ${largest.toExponential(1)}`);
      expect(largest, `${model}, ${representation}`).toBeLessThan(1e-4);
    }
  }
});

test('folders with Git LFS pointers where the weights were say so, and what to do', async ({ page }) => {
  test.skip(!existsSync(POINTERS), 'no folder ../shared/data (or LIGHTWELL_DATA) with folders of the hub');
  const names = namesIn(POINTERS);
  expect(names).toHaveLength(6);
  await drop(
    page,
    readdirSync(POINTERS).flatMap((owner) =>
      statSync(join(POINTERS, owner)).isDirectory() ? [join(POINTERS, owner)] : [],
    ),
  );
  await expect.poll(async () => (await listed(page)).length).toBe(6);
  for (const { name, tier, reason } of await listed(page)) {
    expect(tier, name).toBe('refused');
    // One of them has no graph at all: its repository keeps other weights alone.
    expect(reason, name).toMatch(/Git LFS pointer.*git lfs pull|onnx\/model\.onnx: the folder has no such file/);
  }
});
