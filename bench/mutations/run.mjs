// @ts-check
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { build, preview, runnerImport } from 'vite';
import { provideChromium, QUIET_SWITCHES } from '../../test/support/browser/chromium.mjs';

/**
 * Reads mutated files as the pages Documents and Meaning do, in Chromium, a valid one after each, and prints what became of them:
 * `npm run bench -- mutations --files 2000 --seed 1 --kinds pdf,word,markdown,table,text`. It ends with 1 when one takes longer than
 * 10 s, ends in anything but its text or a named problem, takes more than 2 GiB, or the valid one after it is not read.
 *
 * @typedef {{ problem: string, text: string, seconds: number }} Outcome
 * @typedef {{ how: string, bytes: Uint8Array<ArrayBuffer> }} Mutated
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: 'pdf,word,markdown,table,text' },
  },
});

/** Longest time of a file, s, and most memory of the page's process, bytes. */
const LIMITS = { seconds: 10, bytes: 2 ** 31 };

/** Share of files that attack; the others are damaged. */
const ATTACKS = 0.1;

/** @type {{ module: typeof import('../../test/support/files/mutated-pdf.ts') }} */
const { module: pdf } = await load('test/support/files/mutated-pdf.ts');
/** @type {{ module: typeof import('../../test/support/files/mutated-files.ts') }} */
const { module: others } = await load('test/support/files/mutated-files.ts');
/** @type {{ module: typeof import('../../test/support/files/facts/word.ts') }} */
const { module: word } = await load('test/support/files/facts/word.ts');
/** @type {{ module: typeof import('../../test/support/files/facts/markdown.ts') }} */
const { module: markdown } = await load('test/support/files/facts/markdown.ts');
/** @type {{ module: typeof import('../../test/support/files/facts/table.ts') }} */
const { module: table } = await load('test/support/files/facts/table.ts');
/** @type {{ module: typeof import('../../test/support/files/facts/text.ts') }} */
const { module: text } = await load('test/support/files/facts/text.ts');
/** @type {{ module: typeof import('../../workers/kernels/seeded-random.ts') }} */
const { module: seeded } = await load('workers/kernels/seeded-random.ts');

/** A name and a valid file of each kind. @type {Readonly<Record<string, { name: string, valid: Blob }>>} */
const KINDS = {
  pdf: { name: 'mutated.pdf', valid: new Blob([pdf.VALID_FILES[2] ?? '']) },
  word: { name: 'mutated.docx', valid: word.wordFileWithFacts(1).file },
  markdown: { name: 'mutated.md', valid: markdown.markdownFileWithFacts(1).file },
  table: { name: 'mutated.csv', valid: table.csvFileWithFacts(1).file },
  text: { name: 'mutated.txt', valid: text.textFileWithFacts(1).file },
};

const outDir = `node_modules/.cache/lightwell-mutations-${process.pid}`;
await build({
  build: { outDir, emptyOutDir: true, rolldownOptions: { input: 'bench/mutations/index.html' } },
  publicDir: false,
  logLevel: 'error',
});
const server = await preview({ build: { outDir }, preview: { port: 0 }, logLevel: 'error' });
const browser = await chromium.launch({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
try {
  for (const kind of values.kinds.split(',')) await readKind(kind);
} finally {
  await browser.close();
  await server.close();
  rmSync(outDir, { recursive: true });
}

/** @param {string} path */
async function load(path) {
  return /** @type {any} */ (await runnerImport(`./${path}`, { configFile: false, logLevel: 'error' }));
}

/** In a page of its own, whose process is measured. @param {string} kind */
async function readKind(kind) {
  const known = KINDS[kind];
  if (!known) throw new RangeError(`--kinds: expected some of ${Object.keys(KINDS).join(', ')}, got "${kind}"`);
  const page = await browser.newPage();
  await page.goto(`${server.resolvedUrls?.local[0]}bench/mutations/index.html`);
  await page.waitForFunction('"outcomeOf" in globalThis');
  const system = await browser.newBrowserCDPSession();
  const valid = new Uint8Array(await known.valid.arrayBuffer());
  const outcomeOf = (/** @type {Uint8Array} */ bytes) => askPage(page, bytes, known.name);
  await readAll(kind, valid, outcomeOf, async () => {
    const { processInfo } = await system.send('SystemInfo.getProcessInfo');
    return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id)));
  });
  await page.close();
}

/**
 * @param {string} kind
 * @param {Uint8Array} valid
 * @param {(bytes: Uint8Array) => Promise<Outcome>} outcomeOf
 * @param {() => Promise<number>} memory
 */
async function readAll(kind, valid, outcomeOf, memory) {
  const random = seeded.seededRandom(Number(values.seed));
  const { text: expected } = await outcomeOf(valid); // the first one loads the parser
  /** @type {Map<string, { kind: string, files: number, outcomes: Record<string, number>, slowest: number }>} */
  const rows = new Map();
  let [problems, peak] = [0, 0];
  const report = (/** @type {string} */ what) => {
    problems++;
    console.error(what);
  };
  for (let index = 0; index < Number(values.files); index++) {
    const { how, bytes: file } = await mutatedOf(kind, random, index);
    const { problem, seconds } = await outcomeOf(file);
    const row = rows.get(how) ?? { kind: `${kind}: ${how}`, files: 0, outcomes: {}, slowest: 0 };
    rows.set(how, row);
    row.files++;
    row.outcomes[problem] = (row.outcomes[problem] ?? 0) + 1;
    row.slowest = Math.max(row.slowest, seconds);
    const name = `${kind} ${index}, ${how}`;
    if (seconds > LIMITS.seconds) report(`${name}: ${seconds.toFixed(1)} s`);
    if (problem.startsWith('defect') || problem === 'unread') report(`${name}: ${problem}`);
    if (expected === '' || (await outcomeOf(valid)).text !== expected) report(`${name}: the next file was not read`);
    const bytes = await memory();
    if (bytes > LIMITS.bytes && peak <= LIMITS.bytes) report(`${name}: ${(bytes / 2 ** 30).toFixed(1)} GiB`);
    peak = Math.max(peak, bytes);
  }
  print([...rows.values()]);
  console.log(
    `${kind}, ${values.files} files from seed ${values.seed}: ${problems} problems, at most ${mebibytes(peak)}`,
  );
  if (problems > 0) process.exitCode = 1;
}

/** @param {readonly { kind: string, files: number, outcomes: Record<string, number>, slowest: number }[]} rows */
function print(rows) {
  console.table(
    rows.map(({ outcomes, slowest, ...row }) => ({
      ...row,
      slowest: Number(slowest.toFixed(1)),
      outcomes: JSON.stringify(outcomes),
    })),
  );
}

/**
 * @param {string} kind
 * @param {() => number} random
 * @param {number} seed
 * @returns {Promise<Mutated>}
 */
async function mutatedOf(kind, random, seed) {
  if (kind === 'pdf') {
    const { kind: how, bytes } = pdf.mutatedPdf(random, ATTACKS);
    return { how, bytes };
  }
  return others.mutatedFile(
    /** @type {import('../../test/support/files/mutated-files.ts').TextKind} */ (kind),
    random,
    {
      seed,
      attacks: ATTACKS,
    },
  );
}

/**
 * @param {import('playwright').Page} page
 * @param {Uint8Array} bytes
 * @param {string} name
 * @returns {Promise<Outcome>}
 */
function askPage(page, bytes, name) {
  const encoded = Buffer.from(bytes).toString('base64');
  return page.evaluate(
    ([given, called]) => Reflect.get(globalThis, 'outcomeOf')(given, called),
    /** @type {const} */ ([encoded, name]),
  );
}

/** @param {number} bytes */
function mebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
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
