import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { serve, type Served } from '../../../server/serve.ts';
import { brokenFolders } from '../../support/files/broken-folders.ts';
import { plain as test } from '../fixture.ts';

let folder: string;
let server: Served;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lightwell-e2e-models-'));
  const folders = brokenFolders();
  for (const name of ['good', 'external-data', 'graph-pointer'])
    for (const [path, bytes] of folders.get(name) ?? []) {
      const file = join(folder, 'owner', name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  server = await serve({ port: 0, models: folder });
});
test.afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** An operation of the page's own service. */
interface Call {
  readonly path: string;
  readonly body?: object;
}

test('a folder on this computer is listed with its tiers, and its models explain, embed and complete', async ({
  page,
  backend,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !/^(blob|data):/.test(url)) foreign.push(url);
  });
  await page.goto(`${server.url}?backend=${backend}#/models`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  const call = ({ path, body }: Call) =>
    page.evaluate(
      async ({ path, body }) => {
        const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
        const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
        const response = await lightwell.fetch(path, { ...init, headers });
        return { status: response.status, answer: await response.json() };
      },
      { path, body },
    );
  const found = async () => {
    const { answer } = await call({ path: '/model-settings' });
    return answer.slice(3).map(({ name, tier }: { name: string; tier: string }) => `${name}: ${tier}`);
  };
  await expect
    .poll(found)
    .toEqual(['owner/external-data: steered', 'owner/good: steered', 'owner/graph-pointer: refused']);

  for (const model of ['owner/good', 'owner/external-data']) {
    const prompt = 'An apple a day';
    const explained = await call({ path: '/explain', body: { model, prompt, target: ' keeps' } });
    expect(explained).toMatchObject({ status: 200, answer: { model_version: model } });
    const embedded = { model, prompt, layers: [-1], pooling: ['mean'], type: 'default', tokens: false };
    expect((await call({ path: '/embed', body: embedded })).status).toBe(200);
    const predicted = await call({ path: '/predict', body: { model, prompt, maximum_tokens: 3 } });
    expect(predicted.status).toBe(200);
  }
  const refused = await call({ path: '/embed', body: { model: 'owner/graph-pointer', prompt: 'An apple' } });
  expect(refused).toMatchObject({ status: 503, answer: { code: 'MODEL_UNAVAILABLE' } });
  expect(refused.answer.error).toContain('onnx/model.onnx');

  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'owner/graph-pointer' })).toContainText('git lfs pull');
  await list.getByRole('link', { name: 'owner/good' }).click();
  await expect(page.getByText('has no README.md')).toBeVisible();
  expect(foreign).toEqual([]);
});
