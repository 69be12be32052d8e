import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { BatchSemanticEmbedResponse } from '../../../../src/contract/embed.ts';
import { call } from '../../calls.ts';
import { test } from '../../fixture.ts';
import { dropFolder, withoutDecoder } from '../../visitor.ts';
import { brought, openModels } from './visit.ts';

const DATA = process.env['LIGHTWELL_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data');
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

test.beforeEach(({ context }) => withoutDecoder(context));

test('folders of the hub give the vectors of sentence-transformers when they are dropped', async ({ page }) => {
  test.skip(!existsSync(MADE), 'make-hub-folders.py makes them in ../shared/data/hub-made');
  const names = namesIn(MADE);
  await openModels(page);
  await dropFolder(page, ...readdirSync(MADE).map((owner) => join(MADE, owner)));
  await expect.poll(async () => (await brought(page)).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  for (const model of names) {
    const { texts, vectors } = JSON.parse(readFileSync(join(MADE, model, 'expected.json'), 'utf8')) as Expected;
    for (const [representation, expected] of Object.entries(vectors)) {
      const asked = { model, prompts: texts, representation, normalize: true };
      const { body: found } = await call<BatchSemanticEmbedResponse>(page, '/batch_semantic_embed', asked);
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
  await openModels(page);
  await dropFolder(
    page,
    ...readdirSync(POINTERS).flatMap((owner) =>
      statSync(join(POINTERS, owner)).isDirectory() ? [join(POINTERS, owner)] : [],
    ),
  );
  await expect.poll(async () => (await brought(page)).length).toBe(6);
  for (const { name, tier, reason } of await brought(page)) {
    expect(tier, name).toBe('refused');
    // One of them has no graph at all: its repository keeps other weights alone.
    expect(reason, name).toMatch(/Git LFS pointer.*git lfs pull|onnx\/model\.onnx: the folder has no such file/);
  }
});
