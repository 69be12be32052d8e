// @ts-check
import { rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { provideChromium, QUIET_SWITCHES } from '../test/support/browser/chromium.mjs';
import { placeFile } from './driver/data-files.mjs';
import { readOptions } from './driver/options.mjs';
import { createProgress } from './driver/progress.mjs';
import { openRecords } from './driver/records.mjs';
import { tablesOf } from './driver/tables-of.mjs';
import { tableOf } from './driver/report.mjs';
import { ROOT, giveUp, runSubcommand } from '../server/setup/dependencies.mjs';

/**
 * Measures the embedded models through the contract, in Chromium on WebAssembly, and prints the model cards' tables:
 * `evaluation/README.md`. `npm run evaluate -- tables` prints the tables of the committed records, `npm run evaluate -- pages`
 * measures pages as their visitors use them, `npm run evaluate -- files` what the readers of files lose.
 */
runSubcommand({
  tables: ['node', 'evaluation/tables.mjs'],
  files: ['node', 'evaluation/files/run.mjs'],
  pages: ['npx', 'playwright', 'test', '-c', 'evaluation/pages'],
});

/** @typedef {import('./page.ts').Evaluations} Evaluations */
/** @typedef {ReturnType<Evaluations['list']>[number]} Listed */
/** @typedef {import('./evaluation.ts').Row} Row */
/** @typedef {{ name: string, title: string, model: string, seconds?: number, rows?: readonly Row[], tables?: string, skipped?: string, failed?: string }} Outcome */

const options = readOptions(process.argv.slice(2));
const records = openRecords(options.records);
// Its own folder for each run, so that two can go on side by side.
const outDir = resolve(ROOT, `node_modules/.cache/lightwell-evaluation/${process.pid}`);
process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));

console.error('Building the page ...');
await build({
  build: { outDir, emptyOutDir: true, rolldownOptions: { input: 'evaluation/index.html' } },
  logLevel: 'error',
});
const server = await preview({ build: { outDir }, preview: { port: 0 }, logLevel: 'error' });
const url = `${server.resolvedUrls?.local[0]}evaluation/index.html`;
const browser = await chromium.launch({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
try {
  const outcomes = await runAll(chosen(await listed()));
  process.exitCode = outcomes.some(({ failed }) => failed !== undefined) ? 1 : 0;
} finally {
  await browser.close();
  await server.close();
}

/**
 * @param {(what: string, done: number, total: number) => void} say
 * @param {(found: import('./driver/records.mjs').Found) => void} keep
 */
async function openPage(say, keep) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.exposeFunction('reportProgress', say);
  await page.exposeFunction('keepRecord', keep);
  await page.goto(url);
  await page.waitForFunction('"evaluations" in globalThis');
  return page;
}

function nothing() {}

/** @returns {Promise<Listed[]>} */
async function listed() {
  const page = await openPage(nothing, nothing);
  const list = await page.evaluate('globalThis.evaluations.list()');
  await page.close();
  return /** @type {Listed[]} */ (list);
}

/** @param {readonly Listed[]} list */
function chosen(list) {
  const names = list.map(({ name }) => name);
  const unknown = options.only?.find((name) => !names.includes(name));
  if (unknown !== undefined) giveUp(`--only: expected names out of ${names.join(', ')}, got "${unknown}"`);
  return list.filter(({ name, onlyWhenNamed }) => options.only?.includes(name) ?? !onlyWhenNamed);
}

/** @param {readonly Listed[]} evaluations */
async function runAll(evaluations) {
  const [skipped, ready] = [evaluations.filter(lacksCorpus), evaluations.filter((each) => !lacksCorpus(each))];
  // All files first: one that is missing is better known before the work than in the middle.
  for (const file of ready.flatMap(({ needs }) => needs))
    placeFile(file, (file.from === 'corpus' ? options.corpus : options.data) ?? '', join(outDir, 'evaluation-data'));
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const evaluation of evaluations) {
    const outcome = skipped.includes(evaluation) ? skippedOne(evaluation) : await runOne(evaluation);
    outcomes.push(outcome);
    print(outcome);
    if (options.json) writeFileSync(options.json, `${JSON.stringify(record(outcomes), null, 2)}\n`);
  }
  return outcomes;
}

/** @param {Listed} evaluation */
function lacksCorpus({ needs }) {
  return options.corpus === null && needs.some(({ from }) => from === 'corpus');
}

/**
 * @param {Listed} evaluation
 * @returns {Outcome}
 */
function skippedOne({ name, title, model }) {
  return { name, title, model, skipped: 'it needs --corpus DIR, which the step base held-out of training/ writes' };
}

/**
 * In a page of its own: no memory of the one before, and a crash ends this one alone.
 *
 * @param {Listed} evaluation
 * @returns {Promise<Outcome>}
 */
async function runOne({ name, title, model, network, recorded }) {
  console.error(`${title} ...`);
  const began = performance.now();
  const progress = createProgress();
  const page = await openPage(progress.say, (found) => records.keep(found, network));
  try {
    const known = Object.fromEntries(records.of(name, network).map(({ key, value }) => [key, value]));
    const rows = await page.evaluate(
      ([asked, given]) => Reflect.get(globalThis, 'evaluations').run(asked, given),
      /** @type {const} */ ([name, { records: known, ...(options.sample !== null && { sample: options.sample }) }]),
    );
    const seconds = (performance.now() - began) / 1000;
    if (!recorded) return { name, title, model, seconds, rows };
    return { name, title, model, seconds, tables: await tablesOf(records.of(name, network)) };
  } catch (error) {
    return { name, title, model, failed: error instanceof Error ? error.message : String(error) };
  } finally {
    progress.end();
    await page.close();
  }
}

/** @param {Outcome} outcome */
function print({ name, title, model, seconds, rows, tables, skipped, failed }) {
  console.log(`\n### ${title}\n`);
  const shown = tables ?? (rows && tableOf(model, rows));
  if (shown !== undefined) console.log(`${shown}\n\n${name}: ${seconds?.toFixed(0)} s`);
  else console.log(skipped === undefined ? `${name} failed: ${failed}` : `${name} is skipped: ${skipped}`);
}

/** What was measured, and on what. @param {readonly Outcome[]} evaluations */
function record(evaluations) {
  const [processor] = cpus();
  const machine = { processor: processor?.model ?? 'unknown', cores: cpus().length, browser: browser.version() };
  return { machine: { ...machine, backend: 'wasm' }, sample: options.sample, evaluations };
}
