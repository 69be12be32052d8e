import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { CompleteResponse } from '../../../../src/contract/complete.ts';
import type { WrittenFolders } from '../../../support/hub/written-folders.ts';
import { hasExportedGraphs, writeExportedFolders } from '../../../support/hub/exported-folders.ts';
import { call } from '../../calls.ts';
import { test } from '../../fixture.ts';
import { dropFolder } from '../../visitor.ts';
import { openModels, showModel, tiers } from './visit.ts';

test.skip(!hasExportedGraphs, 'no folder ../shared/data (or LIGHTWELL_DATA) with graphs of exporters');

let written: WrittenFolders;
test.beforeEach(() => {
  written = writeExportedFolders();
});
test.afterEach(() => written.remove());

test('networks that cannot be rewritten write as they were exported, and nothing else', async ({ page }) => {
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await openModels(page);
  await dropFolder(page, join(written.path, 'made'));
  await expect.poll(() => tiers(page)).toEqual(['made/lfm2: as_exported', 'made/t5: as_exported']);
  const list = page.getByRole('navigation', { name: 'Models' });
  await expect(list.getByRole('link', { name: 'made/lfm2' })).toContainText('convolution or recurrent state');

  for (const [model, prompt] of [
    ['made/lfm2', 'w5 w9 w12 w40'],
    ['made/t5', 'w5 w9 w12 w40'],
  ] as const) {
    const body = { model, prompt, maximum_tokens: 6 };
    const completed = await call<CompleteResponse>(page, '/complete', body);
    expect(completed, model).toMatchObject({ status: 200, body: { model_version: model } });
    expect(completed.body.completions[0]?.completion, model).toMatch(/w\d+/);
    const again = await call<CompleteResponse>(page, '/complete', body);
    expect(again.body.completions, model).toEqual(completed.body.completions);
    const explained = await call(page, '/explain', { model, prompt, target: ' w7' });
    expect(explained, model).toMatchObject({ status: 400, body: { code: 'MISSING_CAPABILITY' } });
    expect(explained.body.error).toContain('runs as it was exported: ');
    const controlled = [{ type: 'text', data: prompt, controls: [{ start: 0, length: 2, factor: 0.1 }] }];
    const refused = await call(page, '/complete', { ...body, prompt: controlled });
    expect(refused, model).toMatchObject({ status: 400, body: { code: 'MISSING_CAPABILITY' } });
    expect(refused.body.error).toContain('attention controls');
  }
  const chat = { model: 'made/lfm2', messages: [{ role: 'user', content: 'w8 w9' }], maximum_tokens: 4 };
  expect((await call(page, '/chat/completions', chat)).status).toBe(200);

  await showModel(page, 'made/lfm2');
  await page.getByTestId('writing-prompt').fill('w5 w9 w12 w40');
  await page.getByTestId('writing-run').click();
  await expect(page.getByTestId('written-text')).toHaveText(/^w5 w9 w12 w40.*w\d+/);
  await expect(page.getByTestId('written-on')).toHaveText(
    /^WASM, .*: transformers.js \S+ runs the graph unchanged, on WebAssembly/,
  );
  expect(faults).toEqual([]);
});
