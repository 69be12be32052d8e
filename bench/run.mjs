// @ts-check
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { provideChromium } from '../test/support/chromium.mjs';

/**
 * Measures, side by side in one page on WebAssembly, and prints tables: the cost of an explanation, what router and
 * worker add to an embedding, and memory. `npm run bench -- --quick` does one round of each.
 */
const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;

/** @typedef {import('./page.ts').Benches} Benches */

// The built code is measured, as it is served: not the development server's.
const outDir = 'node_modules/.cache/lightwell-bench';
await build({
  build: { outDir, emptyOutDir: true, rolldownOptions: { input: 'bench/index.html' } },
  logLevel: 'error',
});
const server = await preview({ build: { outDir }, preview: { port: 0 }, logLevel: 'error' });
const executablePath = await provideChromium();
const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath, args });
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(`${server.resolvedUrls?.local[0]}bench/index.html`);
  await page.waitForFunction('"benches" in globalThis');

  /**
   * @template {keyof Benches} Name
   * @param {Name} name
   * @param {Parameters<Benches[Name]>} parameters
   * @returns {Promise<Awaited<ReturnType<Benches[Name]>>>}
   */
  const measure = (name, ...parameters) =>
    page.evaluate(
      ([asked, given]) => Reflect.get(globalThis, 'benches')[asked](...given),
      /** @type {const} */ ([name, parameters]),
    );

  console.log('Explanation: wall time over (N + 1) full forward passes with all logits, target of 8 tokens');
  const costs = [];
  for (const network of /** @type {const} */ (['embedded', 'random']))
    for (const tokens of [32, 64, 128]) costs.push(await measure('cost', network, tokens, rounds));
  console.table(costs.map(rounded));

  console.log('POST /embed through router and worker over the bare session');
  const overheads = [];
  for (const words of [64, 256, 512]) overheads.push(await measure('overhead', words, quick ? 5 : 40));
  console.table(overheads.map(rounded));

  console.log('WebAssembly memory of an explanation over one full forward pass, N = 128');
  const memories = [];
  for (const network of /** @type {const} */ (['embedded', 'random']))
    memories.push(await measure('memory', network, 128));
  console.table(memories.map(rounded));
} finally {
  await browser.close();
  await server.close();
}

/** @param {Record<string, string | number>} row */
function rounded(row) {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toPrecision(3)) : value]),
  );
}
