// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from 'vite';
import { buildAll } from '../../../server/setup/build.mjs';
import { installDependencies, ROOT } from '../../../server/setup/dependencies.mjs';
import { serveBuild } from '../../support/lightwell-serve.mjs';

/**
 * `npm test -- clients`: OpenAI's official clients make every call of `calls.ts`. That for JavaScript makes them in a page, through a
 * local server and to `lightwell serve`, that for Python to both servers. Prints a table; with `--record FILE` it is written too.
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
  // Stays open: operations are imported on first use.
  const sources = await createServer({
    root: ROOT,
    configFile: false,
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true },
  });
  /** @type {(path: string) => Promise<any>} */
  const load = (path) => sources.ssrLoadModule(path);
  /** @type {typeof import('../../support/fakes/openai-page.ts')} */
  const { openAiPage, serveBridged, TEMPLATE } = await load('/test/support/fakes/openai-page.ts');
  /** @type {typeof import('./calls.ts')} */
  const { CALLS } = await load('/test/conformance/openai/calls.ts');
  /** @type {typeof import('./client.ts')} */
  const client = await load('/test/conformance/openai/client.ts');
  const page = openAiPage();
  const bridged = await serveBridged(page);
  const models = mkdtempSync(join(tmpdir(), 'lightwell-clients-'));
  writeChatModel(join(models, 'chat'), TEMPLATE);
  const headless = await serveBuild(['--models', models]);
  const ofHeadless = CALLS.map(withChatModel);
  try {
    const inPage = { url: 'http://localhost/', token: bridged.token, fetch: page.fetch };
    return [
      await withJavaScript('page', inPage, CALLS, client),
      await withJavaScript('bridge', bridged, CALLS, client),
      await withJavaScript('headless', headless, ofHeadless, client),
      ...(why === undefined
        ? [await withPython('bridge', bridged, CALLS), await withPython('headless', headless, ofHeadless)]
        : []),
    ];
  } finally {
    await headless.stop();
    rmSync(models, { recursive: true });
    await bridged.close();
    page.dispose();
    await sources.close();
  }
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
 * @param {string} template
 */
function writeChatModel(folder, template) {
  cpSync(join(ROOT, 'public/models/lightwell-base'), folder, { recursive: true });
  const file = join(folder, 'tokenizer_config.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), chat_template: template }));
}

/**
 * @param {string} way
 * @param {{ readonly url: string, readonly token: string, readonly fetch?: typeof globalThis.fetch }} server
 * @param {readonly Call[]} calls
 * @param {typeof import('./client.ts')} client
 * @returns {Promise<Row>}
 */
async function withJavaScript(way, { url, token, fetch }, calls, { openAiClient, checkCall }) {
  const made = openAiClient({ baseURL: `${url}v1`, apiKey: token, ...(fetch && { fetch }) });
  let right = 0;
  for (const call of calls)
    try {
      await checkCall(made, call);
      right++;
    } catch (error) {
      console.log(`JavaScript, ${way}: ${call.method}: ${call.name}: ${error}`); // every call is made, whatever became of the others
    }
  return { client: 'JavaScript', way, calls: calls.length, right };
}

/**
 * @param {string} way
 * @param {{ readonly url: string, readonly token: string }} server
 * @param {readonly Call[]} calls
 * @returns {Promise<Row>}
 */
async function withPython(way, { url, token }, calls) {
  const table = join(CACHE, 'calls.json');
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(table, JSON.stringify(calls));
  const child = spawn(python, [join(FOLDER, 'calls.py'), `${url}v1`, token, table], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let last = '';
  for await (const line of createInterface(child.stdout)) console.log(`Python, ${way}: ${(last = line)}`);
  await ended;
  return { client: 'Python', way, calls: calls.length, right: Number(/^(\d+) of /.exec(last)?.[1] ?? 0) };
}
