import { expect } from '@playwright/test';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import type { ExplainResponse } from '../../../../src/contract/explain.ts';
import { brokenFolders } from '../../../support/files/broken-folders.ts';
import { packedProducts } from '../../../support/onnx/changed/packed-products.ts';
import { writeFolders } from '../../../support/hub/written-folders.ts';
import { call, scoresOf } from '../../calls.ts';
import { test as base } from '../../fixture.ts';
import { withoutDecoder } from '../../visitor.ts';
import { goodFolder, openModels, showModel, tiers, works } from './visit.ts';

/** A local server that was started with a folder of models. */
const test = base.extend<{ readonly server: RunningServer }>({
  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, use) => {
    const folders = brokenFolders();
    const named = ['good', 'external-data', 'graph-pointer'].map((name) => [name, folders.get(name)] as const);
    const graph = goodFolder().get('onnx/model.onnx') ?? new Uint8Array(0);
    const both = new Map(goodFolder()).set('onnx/model_q4.onnx', packedProducts(graph));
    const written = writeFolders(
      [...named, ['both', both] as const].map(([name, files]) => [`owner/${name}`, files ?? new Map()]),
    );
    const server = await startServer({ port: 0, models: written.path });
    await use(server);
    await server.close();
    written.remove();
  },
  baseURL: async ({ server }, use) => use(server.url),
});

test.beforeEach(({ context }) => withoutDecoder(context));

test('a folder on this computer is listed with its tiers, and its models explain, embed and complete', async ({
  page,
}) => {
  await openModels(page);
  await expect
    .poll(() => tiers(page))
    .toEqual([
      'owner/both: steered',
      'owner/both:q4: steered',
      'owner/external-data: steered',
      'owner/good: steered',
      'owner/graph-pointer: refused',
    ]);

  for (const model of ['owner/good', 'owner/external-data']) expect(await works(page, model)).toEqual([200, 200, 200]);
  const refused = await call(page, '/embed', { model: 'owner/graph-pointer', prompt: 'An apple' });
  expect(refused).toMatchObject({ status: 503, body: { code: 'MODEL_UNAVAILABLE' } });
  expect(refused.body.error).toContain('onnx/model.onnx');

  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'owner/graph-pointer' })).toContainText('git lfs pull');
  await showModel(page, 'owner/good');
  await expect(page.getByText('has no README.md')).toBeVisible();
});

test('each kind of weights in a folder explains by its name, and is chosen on the card', async ({ page }) => {
  await openModels(page);
  const prompt = 'An apple a day keeps the doctor';
  const explained = async (model: string) => {
    const { status, body } = await call<ExplainResponse>(page, '/explain', { model, prompt, target: ' away' });
    return { status, version: body.model_version, scores: scoresOf(body).flat() };
  };
  await expect.poll(() => tiers(page)).toContain('owner/both:q4: steered');
  const [floats, packed] = [await explained('owner/both:fp32'), await explained('owner/both:q4')];
  expect([floats, packed]).toMatchObject([
    { status: 200, version: 'owner/both' },
    { status: 200, version: 'owner/both:q4' },
  ]);
  expect(await explained('owner/both')).toEqual(floats);
  expect(packed.scores).toHaveLength(floats.scores.length);
  expect(packed.scores).not.toEqual(floats.scores);

  const list = page.getByRole('navigation', { name: 'Models' });
  await list.getByRole('link', { name: 'owner/both' }).first().click();
  const kinds = page.getByRole('navigation', { name: 'Weights' });
  await expect(kinds.getByRole('link', { name: 'fp32' })).toHaveAttribute('aria-current', 'true');
  await expect(kinds.getByRole('link', { name: 'q4' })).toContainText('of memory while it is in use');
  await kinds.getByRole('link', { name: 'q4' }).click();
  await expect(kinds.getByRole('link', { name: 'q4' })).toHaveAttribute('aria-current', 'true');
  await expect(list.getByRole('link', { name: 'owner/both:q4' })).toHaveAttribute('aria-current', 'true');
});
