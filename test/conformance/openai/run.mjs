// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { installDependencies, ROOT } from '../../../server/setup/dependencies.mjs';
import { environmentWith, whyNoPython } from '../../support/python.mjs';

/**
 * `npm test -- clients`: OpenAI's official client for Python makes every call of `calls.ts` through a local server. Needs Python 3.11
 * or newer, and PyPI for the first time; without them it says what is missing.
 */
installDependencies();

const FOLDER = join(ROOT, 'test/conformance/openai');
const CACHE = join(ROOT, 'node_modules/.cache/lightwell-openai');
const TABLE = join(CACHE, 'calls.json');

const why = whyNoPython();
const environment = why === undefined ? environmentWith(CACHE, join(FOLDER, 'requirements.txt')) : { missing: why };
if ('missing' in environment) console.log(`clients skipped: ${environment.missing}`);
else process.exitCode = await check(environment.python);

/**
 * @param {string} python
 * @returns {Promise<number>} the exit status
 */
async function check(python) {
  // `runnerImport` closes after an import, and operations are imported on first use.
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
