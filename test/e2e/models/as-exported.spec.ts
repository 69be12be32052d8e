import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { hasExportedGraphs, writeExportedFolders } from '../../support/hub/exported-folders.ts';
import { dropFolder } from '../visitor.ts';
import { plain as test } from '../fixture.ts';

test.skip(!hasExportedGraphs, 'no folder ../shared/data (or LIGHTWELL_DATA) with graphs of exporters');

let folder: string;
test.beforeEach(() => {
  folder = writeExportedFolders();
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const call = (page: Page, path: string, body?: object) =>
  page.evaluate(
    async ([to, text]) => {
      const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
      const init = text === undefined ? {} : { method: 'POST', body: text };
      const response = await lightwell.fetch(to, { ...init, headers });
      return { status: response.status, answer: await response.json() };
    },
    [path, body && JSON.stringify(body)] as const,
  );

test('networks that cannot be rewritten write as they were exported, and nothing else', async ({ page, context }) => {
  const foreign: string[] = [];
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  context.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !new URL(request.url()).origin.includes('localhost'))
      foreign.push(request.url());
  });
  await page.goto('/?backend=wasm#/models');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  await dropFolder(page, join(folder, 'made'));
  const listed = async () => {
    const { answer } = await call(page, '/model-settings');
    return answer
      .slice(3)
      .map(({ name, tier }: { name: string; tier: string }) => `${name}: ${tier}`)
      .toSorted();
  };
  await expect.poll(listed).toEqual(['made/lfm2: as_exported', 'made/t5: as_exported']);
  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'made/lfm2' })).toContainText('convolution or recurrent state');

  const scripts: string[] = [];
  context.on('request', (request) => scripts.push(request.url()));
  for (const [model, prompt] of [
    ['made/lfm2', 'w5 w9 w12 w40'],
    ['made/t5', 'w5 w9 w12 w40'],
  ] as const) {
    const body = { model, prompt, maximum_tokens: 6 };
    const written = await call(page, '/complete', body);
    expect(written, model).toMatchObject({ status: 200, answer: { model_version: model } });
    expect(written.answer.completions[0].completion, model).toMatch(/w\d+/);
    const again = await call(page, '/complete', body);
    expect(again.answer.completions, model).toEqual(written.answer.completions);
    const explained = await call(page, '/explain', { model, prompt, target: ' w7' });
    expect(explained, model).toMatchObject({ status: 400, answer: { code: 'MISSING_CAPABILITY' } });
    expect(explained.answer.error).toContain('runs as it was exported: ');
    const controlled = [{ type: 'text', data: prompt, controls: [{ start: 0, length: 2, factor: 0.1 }] }];
    const steered = await call(page, '/complete', { ...body, prompt: controlled });
    expect(steered, model).toMatchObject({ status: 400, answer: { code: 'MISSING_CAPABILITY' } });
    expect(steered.answer.error).toContain('attention controls');
  }
  const chat = { model: 'made/lfm2', messages: [{ role: 'user', content: 'w8 w9' }], maximum_tokens: 4 };
  expect((await call(page, '/chat/completions', chat)).status).toBe(200);

  await list.getByRole('link', { name: 'made/lfm2' }).click();
  await page.getByTestId('writing-prompt').fill('w5 w9 w12 w40');
  await page.getByTestId('writing-run').click();
  await expect(page.getByTestId('written-text')).toHaveText(/^w5 w9 w12 w40.*w\d+/);
  await expect(page.getByTestId('written-on')).toHaveText(
    /^WASM, .*: transformers.js \S+ runs the graph unchanged, on WebAssembly/,
  );
  expect(foreign).toEqual([]);
  expect(faults).toEqual([]);
});
