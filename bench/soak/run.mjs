// @ts-check
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { buildAll, DIST } from '../../server/setup/build.mjs';
import { provideChromium, QUIET_SWITCHES } from '../../test/support/browser/chromium.mjs';

/**
 * Sends requests of all operations to one page for long, and prints time and memory of each hundred: `npm run bench -- soak`.
 * `--requests N` sends another number than 2,000.
 */
const { values } = parseArgs({ options: { requests: { type: 'string', default: '2000' } } });

buildAll();
/** @type {{ module: typeof import('../../server/serve.ts') }} */
const { module: server } = await runnerImport('./server/serve.ts');
/** @type {{ module: typeof import('./soak.ts') }} */
const { module: bench } = await runnerImport('./bench/soak/soak.ts');
const served = await server.startServer({ root: DIST, port: 0 });
const browser = await chromium.launch({
  executablePath: await provideChromium(),
  args: [
    ...QUIET_SWITCHES,
    '--enable-blink-features=ForceEagerMeasureMemory', // else the browser waits for its own collection
  ],
});
try {
  const page = await browser.newPage();
  await page.goto(`${served.url}?backend=wasm`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  const rounds = await bench.soak(page, Number(values.requests), ({ requests, ms, megabytes }) => {
    const seconds = ms.reduce((sum, each) => sum + each, 0) / 1000;
    const held = megabytes === null ? '' : `, ${megabytes.toFixed(1)} MB`;
    console.log(`${requests} requests: the last hundred in ${seconds.toFixed(1)} s${held}`);
  });
  console.log(
    `last hundred over first: time ${bench.slowing(rounds).toFixed(3)}, memory ${bench.growth(rounds).toFixed(3)}`,
  );
} finally {
  await browser.close();
  await served.close();
}
