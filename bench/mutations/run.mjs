// @ts-check
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { build, preview, runnerImport } from 'vite';
import { provideChromium, QUIET_SWITCHES } from '../../test/support/browser/chromium.mjs';

/**
 * Reads mutated PDFs as the Documents page does, in Chromium, a valid one after each, and prints what became of them:
 * `npm run bench -- mutations --files 2000 --seed 1`. It ends with 1 when one takes longer than 10 s, ends in anything but its text or
 * a named problem, takes more than 2 GiB, or the valid one after it is not read.
 *
 * @typedef {{ problem: string, text: string, seconds: number }} Outcome
 */
const { values } = parseArgs({
  options: { files: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});

/** Longest time of a file, s, and most memory of the page's process, bytes. */
const LIMITS = { seconds: 10, bytes: 2 ** 31 };

/** Share of files that attack; the others are damaged. */
const ATTACKS = 0.1;

/** @type {{ module: typeof import('../../test/support/files/mutated-pdf.ts') }} */
const { module: mutated } = await runnerImport('./test/support/files/mutated-pdf.ts', { configFile: false });
/** @type {{ module: typeof import('../../workers/kernels/seeded-random.ts') }} */
const { module: seeded } = await runnerImport('./workers/kernels/seeded-random.ts', { configFile: false });

const outDir = `node_modules/.cache/lightwell-mutations-${process.pid}`;
await build({
  build: { outDir, emptyOutDir: true, rolldownOptions: { input: 'bench/mutations/index.html' } },
  publicDir: false,
  logLevel: 'error',
});
const server = await preview({ build: { outDir }, preview: { port: 0 }, logLevel: 'error' });
const browser = await chromium.launch({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
try {
  const page = await browser.newPage();
  await page.goto(`${server.resolvedUrls?.local[0]}bench/mutations/index.html`);
  await page.waitForFunction('"outcomeOf" in globalThis');
  const system = await browser.newBrowserCDPSession();
  await readAll(page, async () => {
    const { processInfo } = await system.send('SystemInfo.getProcessInfo');
    return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id)));
  });
} finally {
  await browser.close();
  await server.close();
  rmSync(outDir, { recursive: true });
}

/**
 * @param {import('playwright').Page} page
 * @param {() => Promise<number>} memory
 */
async function readAll(page, memory) {
  const random = seeded.seededRandom(Number(values.seed));
  const valid = mutated.VALID_FILES[2];
  if (valid) await outcomeOf(page, valid); // the first one loads the parser
  /** @type {Map<string, { kind: string, files: number, outcomes: Record<string, number>, slowest: number }>} */
  const kinds = new Map();
  let [problems, peak] = [0, 0];
  const report = (/** @type {string} */ what) =>
    (problems++, console.error(what));
  for (let index = 0; index < Number(values.files); index++) {
    const { kind, bytes: file } = mutated.mutatedPdf(random, ATTACKS);
    const { problem, seconds } = await outcomeOf(page, file);
    const row = kinds.get(kind) ?? { kind, files: 0, outcomes: {}, slowest: 0 };
    kinds.set(kind, row);
    row.files++;
    row.outcomes[problem] = (row.outcomes[problem] ?? 0) + 1;
    row.slowest = Math.max(row.slowest, seconds);
    if (seconds > LIMITS.seconds) report(`file ${index}, ${kind}: ${seconds.toFixed(1)} s`);
    if (problem.startsWith('defect') || problem === 'unread') report(`file ${index}, ${kind}: ${problem}`);
    if (valid && !(await outcomeOf(page, valid)).text.includes('900 euros'))
      report(`file ${index}, ${kind}: the next file was not read`);
    const bytes = await memory();
    if (bytes > LIMITS.bytes && peak <= LIMITS.bytes)
      report(`file ${index}, ${kind}: ${(bytes / 2 ** 30).toFixed(1)} GiB`);
    peak = Math.max(peak, bytes);
  }
  console.table(
    [...kinds.values()].map(({ outcomes, slowest, ...row }) => ({
      ...row,
      slowest: Number(slowest.toFixed(1)),
      outcomes: JSON.stringify(outcomes),
    })),
  );
  console.log(
    `${values.files} files from seed ${values.seed}: ${problems} problems, at most ${(peak / 2 ** 20).toFixed(0)} MiB`,
  );
  process.exitCode = problems === 0 ? 0 : 1;
}

/**
 * @param {import('playwright').Page} page
 * @param {Uint8Array} bytes
 * @returns {Promise<Outcome>}
 */
async function outcomeOf(page, bytes) {
  const encoded = Buffer.from(bytes).toString('base64');
  return page.evaluate((given) => Reflect.get(globalThis, 'outcomeOf')(given), encoded);
}

/** Resident memory of a process, most so far; 0 where the system does not say it. @param {number} id */
function residentBytes(id) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
