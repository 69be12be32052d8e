// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { build, runnerImport } from 'vite';
import { buildAll } from '../../../server/setup/build.mjs';
import { giveUp, installDependencies, ROOT } from '../../../server/setup/dependencies.mjs';
import { provideChromium, QUIET_SWITCHES } from '../../support/browser/chromium.mjs';
import { runBuild, serveBuild } from '../../support/lightwell-serve.mjs';

/**
 * `npm test -- clients`: OpenAI's official clients make every call of `calls.ts` with the models of the package. That for JavaScript
 * makes them inside a tab of Chromium, by the page's function and through the service worker, and in Node, through the local server
 * of that tab and to `lightwell serve`; that for Python to both servers. Prints a table; with `--record FILE` it is written too.
 * The client for Python needs Python 3.11 or newer, and PyPI for the first time; without them it says what is missing.
 */
installDependencies();

const FOLDER = join(ROOT, 'test/conformance/openai');
const CACHE = join(ROOT, 'node_modules/.cache/lightwell-openai');
const python = join(CACHE, 'venv/bin/python');

/** Ends an installation that hangs. */
const INSTALL_MS = 480_000;

/** @typedef {import('./calls.ts').Call} Call */
/** @typedef {{ readonly client: string, readonly way: string, readonly calls: number, readonly right: number }} Row */

const load = (/** @type {string} */ file) => runnerImport(join(FOLDER, file)).then(({ module }) => module);
const { CALLS, TEMPLATE } = /** @type {typeof import('./calls.ts')} */ (await load('calls.ts'));
const { openAiClient, outcomeOf } = /** @type {typeof import('./client.ts')} */ (await load('client.ts'));
const { checkOutcome } = /** @type {typeof import('./check.ts')} */ (await load('check.ts'));

const why = whyMissing();
if (why !== undefined) console.log(`client for Python skipped: ${why}`);
const rows = await check();
console.table(rows);
const record = process.argv.indexOf('--record');
if (record > 0) {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((cells) => cells.join());
  writeFileSync(process.argv[record + 1] ?? '', `${lines.join('\n')}\n`);
}
process.exitCode = rows.every(({ calls, right }) => calls === right) ? 0 : 1;

/** @returns {string | undefined} why there is no environment with the client */
function whyMissing() {
  if (existsSync(join(CACHE, 'complete'))) return undefined;
  const made = spawnSync('python3', ['-m', 'venv', '--clear', join(CACHE, 'venv')]);
  if (made.status !== 0) return 'there is no python3 with venv here';
  const args = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--require-hashes', '-r'];
  const { status, stderr } = spawnSync(python, [...args, join(FOLDER, 'requirements.txt')], { timeout: INSTALL_MS });
  if (status !== 0) return `pip could not install requirements.txt:\n${String(stderr).slice(-600)}`;
  writeFileSync(join(CACHE, 'complete'), '');
  return undefined;
}

/** @returns {Promise<readonly Row[]>} */
async function check() {
  buildAll();
  const models = mkdtempSync(join(tmpdir(), 'lightwell-clients-'));
  writeChatModel(join(models, 'chat'));
  const headless = await serveBuild(['--models', models]);
  const local = await runBuild(['--no-open', '--models', models]);
  const browser = await chromium.launch({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
  try {
    const tab = await openTab(browser, local.url);
    const bridge = { url: local.url, token: await tab.evaluate(() => lightwell.token) };
    const inNode = (/** @type {{ url: string, token: string }} */ { url, token }) => {
      const made = openAiClient({ baseURL: `${url}v1`, apiKey: token });
      return (/** @type {Call} */ call) => outcomeOf(made, call);
    };
    return [
      await withJavaScript('page', (call) =>
        tab.evaluate((given) => openAiInTab.outcomeOf(openAiInTab.ofPage, given), call),
      ),
      await withJavaScript('service worker', (call) =>
        tab.evaluate((given) => openAiInTab.outcomeOf(openAiInTab.ofServiceWorker, given), call),
      ),
      await withJavaScript('local server', inNode(bridge)),
      await withJavaScript('headless', inNode(headless)),
      ...(why === undefined ? [await withPython('local server', bridge), await withPython('headless', headless)] : []),
    ];
  } finally {
    await browser.close();
    await local.stop();
    await headless.stop();
    rmSync(models, { recursive: true });
  }
}

/**
 * A tab with the page, its models ready, and the client as a script of the page.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} url
 */
async function openTab(browser, url) {
  const tab = await browser.newPage();
  await tab.goto(`${url}?backend=wasm`);
  await tab.waitForFunction(() => 'lightwell' in globalThis && navigator.serviceWorker.controller !== null);
  await tab.evaluate(async () => void (await lightwell.ready));
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, lib: { entry: join(FOLDER, 'in-tab.ts'), formats: ['iife'], name: 'openAiInTab' } },
  });
  const [bundle] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (built);
  await tab.evaluate(bundle?.output[0].code ?? giveUp('in-tab.ts: expected a script'));
  return tab;
}

/**
 * The same call of the model that has a chat template.
 *
 * @param {Call} call
 * @returns {Call}
 */
function withChatModel(call) {
  if (call.method !== 'chat' || call.args['model'] !== 'lightwell-base') return call;
  return { ...call, args: { ...call.args, model: 'chat' } };
}

/**
 * The base model of the package, with a chat template.
 *
 * @param {string} folder
 */
function writeChatModel(folder) {
  cpSync(join(ROOT, 'public/models/lightwell-base'), folder, { recursive: true });
  const file = join(folder, 'tokenizer_config.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), chat_template: TEMPLATE }));
}

/**
 * @param {string} way
 * @param {(call: Call) => Promise<import('./client.ts').Outcome>} outcomeOfCall
 * @returns {Promise<Row>}
 */
async function withJavaScript(way, outcomeOfCall) {
  let right = 0;
  for (const call of CALLS.map(withChatModel))
    try {
      checkOutcome(call, await outcomeOfCall(call));
      right++;
    } catch (error) {
      console.log(`JavaScript, ${way}: ${call.method}: ${call.name}: ${error}`); // every call is made, whatever became of the others
    }
  return { client: 'JavaScript', way, calls: CALLS.length, right };
}

/**
 * @param {string} way
 * @param {{ readonly url: string, readonly token: string }} server
 * @returns {Promise<Row>}
 */
async function withPython(way, { url, token }) {
  const table = join(CACHE, 'calls.json');
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(table, JSON.stringify(CALLS.map(withChatModel)));
  const child = spawn(python, [join(FOLDER, 'calls.py'), `${url}v1`, token, table], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let last = '';
  for await (const line of createInterface(child.stdout)) console.log(`Python, ${way}: ${(last = line)}`);
  await ended;
  return { client: 'Python', way, calls: CALLS.length, right: Number(/^(\d+) of /.exec(last)?.[1] ?? 0) };
}
