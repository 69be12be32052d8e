// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { installDependencies, ROOT } from '../../../server/setup/dependencies.mjs';

/**
 * `npm test -- clients`: OpenAI's official client for Python makes every call of `calls.ts` through a local server. Needs Python 3.11
 * or newer, and PyPI for the first time; without them it says what is missing.
 */
installDependencies();

const FOLDER = join(ROOT, 'test/conformance/openai');
const CACHE = join(ROOT, 'node_modules/.cache/lightwell-openai');
const TABLE = join(CACHE, 'calls.json');
const python = join(CACHE, 'venv/bin/python');

/** Ends an installation that hangs. */
const INSTALL_MS = 480_000;

const why = whyMissing();
if (why === undefined) process.exitCode = await check();
else console.log(`clients skipped: ${why}`);

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

/** @returns {Promise<number>} the exit status */
async function check() {
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
  const { openAiPage, serveBridged } = await load('/test/support/fakes/openai-page.ts');
  /** @type {typeof import('./calls.ts')} */
  const { CALLS } = await load('/test/conformance/openai/calls.ts');
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(TABLE, JSON.stringify(CALLS));
  const page = openAiPage();
  const { url, token, close } = await serveBridged(page);
  try {
    const client = spawn(python, [join(FOLDER, 'calls.py'), `${url}v1`, token, TABLE], { stdio: 'inherit' });
    const [status] = await once(client, 'exit');
    return status ?? 1;
  } finally {
    await close();
    page.dispose();
    await sources.close();
  }
}
