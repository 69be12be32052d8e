import { expect } from '@playwright/test';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import { brokenFolders } from '../../../support/files/broken-folders.ts';
import { writeFolders } from '../../../support/hub/written-folders.ts';
import { call } from '../../calls.ts';
import { test as base } from '../../fixture.ts';
import { withoutDecoder } from '../../visitor.ts';
import { openModels, showModel, tiers, works } from './visit.ts';

/** A local server that was started with a folder of models. */
const test = base.extend<{ readonly server: RunningServer }>({
  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, use) => {
    const folders = brokenFolders();
    const named = ['good', 'external-data', 'graph-pointer'].map((name) => [name, folders.get(name)] as const);
    const written = writeFolders(named.map(([name, files]) => [`owner/${name}`, files ?? new Map()]));
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
    .toEqual(['owner/external-data: steered', 'owner/good: steered', 'owner/graph-pointer: refused']);

  for (const model of ['owner/good', 'owner/external-data']) expect(await works(page, model)).toEqual([200, 200, 200]);
  const refused = await call(page, '/embed', { model: 'owner/graph-pointer', prompt: 'An apple' });
  expect(refused).toMatchObject({ status: 503, body: { code: 'MODEL_UNAVAILABLE' } });
  expect(refused.body.error).toContain('onnx/model.onnx');

  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'owner/graph-pointer' })).toContainText('git lfs pull');
  await showModel(page, 'owner/good');
  await expect(page.getByText('has no README.md')).toBeVisible();
});
