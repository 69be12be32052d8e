// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { buildAll, DIST } from '../../../server/setup/build.mjs';
import { provideChromium, QUIET_SWITCHES } from '../../../test/support/browser/chromium.mjs';

/**
 * Prints the memory of Chromium, all processes together, while a page changes between models, and after it is back at the
 * first: `npm run bench -- memory --models DIR`, `--changes N` for another number than 20. Linux only: sizes come from /proc.
 *
 * @param {string} models  a folder, as of `--models` of the local server
 * @param {number} changes
 */
export async function printChanges(models, changes) {
  buildAll();
  /** @type {{ module: typeof import('../../../server/serve.ts') }} */
  const { module } = await runnerImport('./server/serve.ts');
  const served = await module.startServer({ root: DIST, port: 0, models });
  const browser = await chromium.launchServer({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
  try {
    const page = await (await chromium.connect(browser.wsEndpoint())).newPage();
    await page.goto(`${served.url}?backend=wasm`);
    await page.waitForFunction(() => 'lightwell' in globalThis);
    const held = () => treeBytes(browser.process().pid ?? 0);
    const names = await writersOf(page);
    for (let change = 0; change <= changes; change++) {
      const model = names[change % names.length] ?? '';
      const peak = await largestWhile(held, () => used(page, model));
      await delay(RELEASE_MS);
      console.log(`${change}: ${model}: ${megabytes(held())} MB, at most ${megabytes(peak)} MB while it opened`);
    }
  } finally {
    await browser.close();
    await served.close();
  }
}

/** After this a large model is released that no setting chooses. @source REPLACED_MS in src/service/workers.ts */
const RELEASE_MS = 12_000;

/** Models that say how likely a text is. @param {import('playwright').Page} page */
function writersOf(page) {
  return page.evaluate(async () => {
    const { lightwell } = /** @type {any} */ (globalThis);
    await lightwell.ready;
    return lightwell.models.models.flatMap((/** @type {any} */ { name, capabilities }) =>
      capabilities.includes('explain') ? [name] : [],
    );
  });
}

/** Opens a model, if another one is open. @param {import('playwright').Page} page @param {string} model */
function used(page, model) {
  return page.evaluate(async (name) => {
    const body = { model: name, prompt: 'The capital of France is', completion_expected: ' Paris' };
    const { lightwell } = /** @type {any} */ (globalThis);
    const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
    const answer = await lightwell.fetch('/evaluate', { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
  }, model);
}

/** The largest size while something runs, looked at once a second: each look stops the page for a moment. @param {() => number} held @param {() => Promise<void>} run */
async function largestWhile(held, run) {
  let largest = 0;
  const timer = setInterval(() => (largest = Math.max(largest, held())), 1000);
  await run();
  clearInterval(timer);
  return Math.max(largest, held());
}

/** Memory of a process and of all below it, shared pages counted once: the sum of PSS. @param {number} root */
function treeBytes(root) {
  const parents = new Map(
    readdirSync('/proc').flatMap((id) => {
      const [, parent] = /\) \S (\d+)/.exec(textOf(`/proc/${id}/stat`)) ?? [];
      return parent === undefined ? [] : [[Number(id), Number(parent)]];
    }),
  );
  const isBelow = (/** @type {number | undefined} */ id) => {
    for (; id; id = parents.get(id)) if (id === root) return true;
    return false;
  };
  const sizes = Array.from(parents.keys())
    .filter(isBelow)
    .map((id) => Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${id}/smaps_rollup`))?.[1] ?? 0));
  return 1024 * sizes.reduce((sum, size) => sum + size, 0);
}

/** A file that a process may have taken with it. @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return Math.round(bytes / 1e6);
}
