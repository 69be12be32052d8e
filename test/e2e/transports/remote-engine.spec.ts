import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import * as ort from 'onnxruntime-web/webgpu';
import { startServer, type RunningServer } from '../../../server/serve.ts';
import { exportedModel } from '../../support/remote/exported.ts';
import { startProtocolServer, type ProtocolServer } from '../../support/remote/protocol-server.ts';
import { createAsk } from '../../conformance/transport/ask.ts';
import { createDescribed, type OpenApi } from '../../conformance/rows/described.ts';
import { SUITE } from '../../conformance/rows/suite.ts';
import type { Received, Sent } from '../../conformance/transport/transport.ts';
import { MALFORMED } from '../../support/malformed.ts';
import { open, test as base } from '../fixture.ts';

const TOKEN = 'cluster-token-that-no-page-sees';
const MODEL = 'lightwell-base';
const PROMPT = 'Please write a short story about a red apple.';

/** What the engine of a test is. */
interface EngineOptions {
  readonly served: readonly string[];
  readonly binary: boolean;
}

/** A local server that was started with an engine, and the engine. */
const test = base.extend<EngineOptions & { engine: ProtocolServer; server: RunningServer }>({
  served: [[MODEL], { option: true }],
  binary: [true, { option: true }],
  engine: async ({ served, binary }, use) => {
    ort.env.wasm.numThreads = 1;
    ort.env.logLevel = 'error';
    const exported = await Promise.all(served.map((name) => exportedModel(name)));
    const models = Object.fromEntries(exported.map(({ name, folder }) => [name, folder]));
    const engine = await startProtocolServer(ort, { models, binary, token: TOKEN });
    await use(engine);
    await engine.close().catch(() => undefined); // a test may have closed it
    for (const { remove } of exported) await remove();
  },
  server: async ({ engine, served }, use) => {
    const server = await startServer({ port: 0, engine: { address: engine.url, models: served, token: TOKEN } });
    await use(server);
    await server.close();
  },
  baseURL: async ({ server }, use) => use(server.url),
});

/** `POST /explain` in the page: status, body and the header that says where it ran. */
function explainIn(page: Page, more: object = {}) {
  return page.evaluate(
    async ([body]) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${lightwell.token}` };
      const response = await lightwell.fetch('/explain', { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, ran: response.headers.get('Lightwell-Ran'), body: await response.json() };
    },
    [{ model: MODEL, prompt: PROMPT, target: ' red', prompt_granularity: { type: 'word' }, ...more }] as const,
  );
}

const scoresOf = (answer: { body: { explanations: { items: { scores: { score: number }[] }[] }[] } }) =>
  answer.body.explanations[0]?.items[0]?.scores.map(({ score }) => score) ?? [];

const inferences = ({ log }: ProtocolServer) => log.filter(({ path }) => path.endsWith('/infer')).length;

test('a visitor connects an engine, sees where an explanation ran, switches it off, and loses it', async ({
  page,
  backend,
  engine,
}) => {
  await open(page, backend);
  const here = await explainIn(page);
  expect(here.ran).toBe('here');
  expect(engine.log).toEqual([]);

  await test.step('connects, and the engine is verified by its numbers', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: `Use ${engine.url}` }).click();
    await page.getByLabel(`${MODEL} stands for`).selectOption(MODEL);
    await page.getByRole('button', { name: 'Connect and check' }).click();
    await expect(page.getByTestId('engine-checks')).toContainText(
      /is verified: .*self-test within .*differs from this page by/,
    );
  });

  await test.step('nothing runs there before it is switched on', async () => {
    const before = inferences(engine);
    expect((await explainIn(page)).ran).toBe('here');
    expect(inferences(engine)).toBe(before);
    await expect(page.getByTestId('privacy-badge')).toContainText('Runs on your device');
  });

  await test.step('switched on, header, version and badges say where', async () => {
    await page.getByLabel('Requests that allow other machines').selectOption('on');
    await expect(page.getByTestId('privacy-badge')).toContainText(`Also uses ${new URL(engine.url).host}`);
    await expect(page.getByTestId('model-badge')).toContainText(new URL(engine.url).host);
    const there = await explainIn(page);
    expect(there.ran).toBe(`remote; address="${engine.url}"; model="${MODEL}"`);
    expect(there.body.model_version).toContain(` @ ${engine.url}/${MODEL}`);
    const [found, expected] = [scoresOf(there), scoresOf(here)];
    expect(found.length).toBe(expected.length);
    found.forEach((score, i) => expect(Math.abs(score - (expected[i] ?? NaN))).toBeLessThanOrEqual(1e-4));
    await page.getByRole('link', { name: 'Privacy' }).first().click();
    await expect(page.getByText(/Everything runs on your device/)).toHaveCount(0);
    await expect(page.getByText(`is sent to ${engine.url}`)).toBeVisible();
    await page.getByRole('link', { name: 'Explain' }).click();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect(page.getByTestId('ran-at')).toContainText(engine.url);
  });

  await test.step('with the name of the operator nothing leaves', async () => {
    const before = engine.log.length;
    for (const hosting of ['lightwell', 'operator']) {
      const kept = await explainIn(page, { hosting });
      expect(kept.ran).toBe('here');
      expect(kept.body.model_version).not.toContain('@');
    }
    expect(engine.log.length).toBe(before);
  });

  await test.step('switched off, nothing leaves', async () => {
    await page.evaluate(() => void lightwell.settings.set({ engine: { whenHostingIsNull: false } }));
    const before = engine.log.length;
    expect((await explainIn(page)).ran).toBe('here');
    expect(engine.log.length).toBe(before);
    await expect(page.getByTestId('privacy-badge')).toContainText('Runs on your device');
  });

  await test.step('an engine that is away is named, or this device takes over', async () => {
    await page.evaluate(() => void lightwell.settings.set({ engine: { whenHostingIsNull: true } }));
    expect((await explainIn(page)).ran).toContain('remote');
    await engine.close();
    const away = await explainIn(page);
    expect(away).toMatchObject({ status: 503, body: { code: 'ENGINE_UNAVAILABLE' } });
    expect(away.body.error).toContain(engine.url);
    await page.evaluate(() => void lightwell.settings.set({ engine: { ifAway: 'here' } }));
    const instead = await explainIn(page);
    expect(instead).toMatchObject({ status: 200, ran: `here; tried="${engine.url}"` });
    expect(instead.body.model_version).not.toContain('@');
  });

  expect(engine.log.every(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true);
  expect(await page.content()).not.toContain(TOKEN);
});

const ALL = [MODEL, 'lightwell-embed', 'lightwell-reader'];

const STEERING = '/steering_concepts';
/** Refusals of the worker, which an engine's is before. */
const OF_STEERING = MALFORMED.filter(({ path, code }) => path === STEERING && code !== undefined).map(
  ({ name }) => name,
);
/** What an engine serves: it has no input for steering. */
const SERVED = SUITE.filter(({ title }) => title !== `POST ${STEERING}`).map(({ title, rows }) => ({
  title,
  rows: rows.filter(({ rule }) => !OF_STEERING.some((name) => rule.startsWith(`refuses ${name},`))),
}));

/** Numbers as JSON are read and written in one place, so one row of each operation shows it. */
const SAMPLE = SERVED.map(({ title, rows }) => ({ title, rows: rows.slice(0, 1) }));

for (const binary of [true, false])
  test.describe(`the contract over an engine, tensors ${binary ? 'raw' : 'as JSON'}`, () => {
    test.use({ served: ALL, binary });

    // One test: opening a page with three models is what it costs.
    test('holds row by row', async ({ page, backend, engine }) => {
      await open(page, backend);
      await sendBlobs(page);
      await page.evaluate(
        ([address, names]) => {
          const models = Object.fromEntries(names.map((name) => [name, name]));
          lightwell.settings.set({ engine: { address, models, whenHostingIsNull: true } });
        },
        [engine.url, ALL] as const,
      );
      const transport = { token: await page.evaluate(() => lightwell.token), send: (sent: Sent) => inPage(page, sent) };
      const { text } = await transport.send({ method: 'GET', path: '/openapi.json', headers: {} });
      const ask = createAsk(transport, createDescribed(JSON.parse(text) as OpenApi));
      for (const { title, rows } of binary ? SERVED : SAMPLE)
        for (const { rule, check } of rows) await test.step(`${title}: ${rule}`, () => check(ask));
      const examples = [{ positive: 'The soup was hot.', negative: 'The soup was cold.' }];
      const refused = await ask.refused(400, STEERING, { model: MODEL, examples });
      expect(refused.error).toContain(`one that cannot: its passes run at ${engine.url}`);
      const used = new Set(engine.log.filter(({ status }) => status === 200).map(({ path }) => path));
      for (const name of ALL) expect(used).toContain(`/v2/models/${name}/infer`);
    });
  });

/** Playwright is told the body of each request, tensors and all, for a third of the time of a thousand passes; of a Blob it is told nothing. */
async function sendBlobs(page: Page): Promise<void> {
  for (const worker of page.workers())
    await worker.evaluate(() => {
      const send = globalThis.fetch;
      globalThis.fetch = (input, init) =>
        send(input, init?.body ? { ...init, body: new Blob([init.body as BlobPart]) } : init);
    });
}

function inPage(page: Page, sent: Sent): Promise<Received> {
  return page.evaluate(
    async ([{ path, ...init }]) => {
      const response = await lightwell.fetch(path, init);
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, headers, text: await response.text() };
    },
    [sent] as const,
  );
}
