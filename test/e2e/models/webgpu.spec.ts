import { expect, type BrowserContext, type Page } from '@playwright/test';
import { explain, scoresOf, textOfTokens } from '../calls.ts';
import { open, test } from '../fixture.ts';

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

/** Init scripts reach pages only, so the worker's script itself gets the lines in front. */
async function hideSubgroups(context: BrowserContext): Promise<void> {
  await context.route(/\.worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: HIDE_SUBGROUPS + (await response.text()) });
  });
}

async function hasAdapter(page: Page): Promise<boolean> {
  await page.goto('/service-worker.js'); // of the site, and starts no model
  return page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));
}

async function scoresOn(page: Page, prompt: string): Promise<number[][]> {
  const { status, body } = await explain(page, prompt, ' the sea');
  expect(status, JSON.stringify(body)).toBe(200);
  return scoresOf(body);
}

test('explains on WebGPU as on WebAssembly', async ({ page, context }) => {
  test.skip(!(await hasAdapter(page)), 'this Chromium offers no WebGPU adapter, not even a software one');
  await hideSubgroups(context);
  await open(page, 'wasm');
  const prompt = await textOfTokens(page, 6);
  const expected = await scoresOn(page, prompt);
  await open(page, 'webgpu');
  const got = await scoresOn(page, prompt);
  expect(got.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  got.flat().forEach((score, at) => expect(Math.abs(score - (expected.flat()[at] ?? NaN))).toBeLessThan(1e-3));
});
