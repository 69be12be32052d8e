// @ts-check
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { buildAll, DIST } from '../../../server/setup/build.mjs';
import { giveUp } from '../../../server/setup/dependencies.mjs';
import { provideChromium, QUIET_SWITCHES } from '../../support/browser/chromium.mjs';

/**
 * Sends mutated bodies to the built page and its models in Chromium on WebAssembly, and prints how they were answered:
 * `npm test -- fuzz --bodies 1000 --seed 7`. It ends with 1 when an answer is wrong, and prints the bodies that made it so.
 */
const { values } = parseArgs({
  options: { bodies: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const bodies = numberOf('bodies', values.bodies);
const seed = numberOf('seed', values.seed);

/** Bodies between two lines of progress. */
const STEP = 5_000;

buildAll();
/** @type {{ module: typeof import('../../../server/serve.ts') }} */
const { module: server } = await runnerImport('./server/serve.ts');
/** @type {{ module: typeof import('./page-bodies.ts') }} */
const { module: fuzz } = await runnerImport('./test/conformance/fuzz/page-bodies.ts');
const served = await server.startServer({ root: DIST, port: 0 });
const browser = await chromium.launch({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
try {
  const page = await browser.newPage();
  await page.goto(`${served.url}?backend=wasm`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  const { counts, problems } = await fuzz.fuzzPage(page, {
    bodies,
    seed,
    onProblem: (problem) => console.error(problem),
    onProgress: (sent) => sent % STEP === 0 && console.error(`${sent} of ${bodies}`),
  });
  console.table(Object.entries(counts).map(([status, answers]) => ({ status, answers })));
  console.log(`${bodies} bodies from seed ${seed}: ${problems} answers are wrong`);
  process.exitCode = problems === 0 ? 0 : 1;
} finally {
  await browser.close();
  await served.close();
}

/**
 * @param {string} name
 * @param {string} text
 */
function numberOf(name, text) {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0
    ? number
    : giveUp(`--${name}: expected a number from 1, got "${text}"`);
}
