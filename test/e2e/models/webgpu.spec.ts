import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import type { ExplanationRecord } from '../../../src/client/record.ts';
import { explain, MODEL, scoresOf, textOfTokens } from '../calls.ts';
import { open, test } from '../fixture.ts';
import { hasExportedGraphs, writeExportedFolders } from '../../support/hub/exported-folders.ts';
import { showModel } from './own/visit.ts';
import { dropOnHeading, inFrontOfWorkers, withoutDecoder } from '../visitor.ts';

/**
 * Runs in the worker before its own code: the software adapter claims subgroups of size 4, on which some WebGPU kernels
 * of onnxruntime compute wrong numbers; with the feature hidden, other kernels are taken.
 */
const HIDE_SUBGROUPS = `if (globalThis.GPUAdapter) {
  const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'features');
  Object.defineProperty(GPUAdapter.prototype, 'features', {
    get() { return new Set([...get.call(this)].filter((name) => name !== 'subgroups')); },
  });
}
`;

/** The same adapter under another name, so that it is tried as a device's own GPU is. */
const CLAIM_HARDWARE = `if (globalThis.GPUAdapterInfo)
  for (const [name, value] of Object.entries({ vendor: 'made', architecture: 'up', description: '', isFallbackAdapter: false }))
    Object.defineProperty(GPUAdapterInfo.prototype, name, { get: () => value });
`;

async function hasAdapter(page: Page): Promise<boolean> {
  await page.goto('/service-worker.js'); // of the site, and starts no model
  return page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));
}

const TARGET = ' the sea';

async function explained(page: Page, prompt: string): Promise<ExplainResponse> {
  const { status, body } = await explain(page, prompt, TARGET);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** An answer as the page saves it. */
function recordOf(response: ExplainResponse, prompt: string): ExplanationRecord {
  const request = { model: MODEL, prompt, target: TARGET, prompt_granularity: { type: 'token' as const } };
  return {
    lightwell_record: 1,
    recorded_at: '2026-11-23T00:00:00.000Z',
    request,
    response,
    exactness: 'exact',
    model: { name: MODEL, version: response.model_version, files: null },
    engine: { lightwell: 'a test', backend: null, user_agent: 'a test' },
  };
}

test('explains on WebGPU as on WebAssembly, and a record of the one is computed again on the other', async ({
  page,
  context,
}) => {
  test.skip(!(await hasAdapter(page)), 'this Chromium offers no WebGPU adapter, not even a software one');
  await inFrontOfWorkers(context, HIDE_SUBGROUPS);
  await open(page, 'wasm');
  const prompt = await textOfTokens(page, 6);
  const response = await explained(page, prompt);
  const expected = scoresOf(response);
  await open(page, 'webgpu');
  const got = scoresOf(await explained(page, prompt));
  expect(got.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  got.flat().forEach((score, at) => expect(Math.abs(score - (expected.flat()[at] ?? NaN))).toBeLessThan(1e-4));

  const record = JSON.stringify(recordOf(response, prompt));
  await dropOnHeading(page, 'record.json', [...Buffer.from(record)]);
  await expect(page.getByTestId('record-check')).toContainText('The record holds');
});

test('a network that runs as it was exported takes its steps where that is faster, and the page shows the figures', async ({
  page,
  context,
}) => {
  test.skip(!hasExportedGraphs, 'no folder ../shared/data (or LIGHTWELL_DATA) with graphs of exporters');
  test.skip(!(await hasAdapter(page)), 'this Chromium offers no WebGPU adapter, not even a software one');
  await inFrontOfWorkers(context, HIDE_SUBGROUPS + CLAIM_HARDWARE);
  // The page's own model would be tried on the software adapter too, for a minute.
  await withoutDecoder(context);
  const written = writeExportedFolders();
  try {
    await page.goto('/#/models'); // the backend is left to measurement
    await page.getByTestId('model-folder').setInputFiles(join(written.path, 'made', 'lfm2'));
    await showModel(page, 'lfm2');
    await page.getByTestId('writing-prompt').fill('w5 w9 w12 w40');
    await page.getByTestId('writing-run').click();
    await expect(page.getByTestId('written-text')).toHaveText(/^w5 w9 w12 w40.*w\d+/);
    const device = await page.getByTestId('written-on').innerText();
    const measured =
      /(?:WASM against WebGPU \(made up\)|WebGPU \(made up\) against WASM): (\S+) against (\S+) ms for a step; results differ by (\S+)$/;
    expect(device).toMatch(measured);
    const [, chosen, other] = measured.exec(device) ?? [];
    expect(Number(chosen)).toBeLessThanOrEqual(Number(other));
  } finally {
    written.remove();
  }
});
