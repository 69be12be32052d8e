import { expect, type Page } from '@playwright/test';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import { endlessDecoder, endlessTokenizer } from '../../../support/files/broken-folders.ts';
import { writeFolders } from '../../../support/hub/written-folders.ts';
import { call, embed } from '../../calls.ts';
import { test as base } from '../../fixture.ts';
import { workerOf } from '../../worker-jobs.ts';
import { goodFolder, works } from './visit.ts';

/** A local server that was started with a folder of models, some of which never end. */
const test = base.extend<{ readonly server: RunningServer }>({
  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, use) => {
    const written = writeFolders([
      ['owner/good', goodFolder()],
      ['owner/graph', endlessDecoder()],
      ['owner/tokenizer', endlessTokenizer()],
    ]);
    const server = await startServer({ port: 0, models: written.path });
    await use(server);
    await server.close();
    written.remove();
  },
  baseURL: async ({ server }, use) => use(server.url),
});

/** Waits until the newest inference worker answers nothing any more. */
async function untilStuck(page: Page): Promise<void> {
  const answers = () => workerOf(page, 'inference').evaluate(() => true);
  const silence = () => page.waitForTimeout(5_000).then(() => false);
  await expect.poll(() => Promise.race([answers(), silence()])).toBe(false);
}

/** A request to a model that never ends: while it is stuck the page's own model answers, and afterwards a model of its worker. */
async function refusedBesideOthers(page: Page, model: string, pass: () => Promise<void>) {
  let isOver = false;
  const endless = call(page, '/predict', { model, prompt: `${'a'.repeat(60)}!`, maximum_tokens: 3 });
  void endless.finally(() => (isOver = true));
  await untilStuck(page);
  const beside = works(page, 'owner/good');
  expect((await embed(page, 'hello')).status).toBe(200);
  expect(isOver).toBe(false);
  await pass();
  expect(await beside).toEqual([200, 200, 200]);
  return endless;
}

test('a tokenizer and a graph that never end are refused, and no other request fails', async ({ page }) => {
  await page.goto('/?backend=wasm#/models');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(() => lightwell.ready);
  await page.clock.install(); // only now: the page looks for its server's headers in the clock of the browser

  await test.step('a tokenizer', async () => {
    const { status, body } = await refusedBesideOthers(page, 'owner/tokenizer', async () => undefined);
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'MODEL_UNAVAILABLE', error: expect.stringContaining('tokenizer.json') });
  });

  await test.step('a graph', async () => {
    // The page's own clock: real minutes would say no more.
    const { status, body } = await refusedBesideOthers(page, 'owner/graph', () => page.clock.fastForward(150_000));
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'MODEL_UNAVAILABLE', error: expect.stringContaining('be opened') });
  });
});
