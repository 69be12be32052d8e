// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { provideChromium } from '../../../support/browser/chromium.mjs';
import { environmentWith, whyNoPython } from '../../../support/python.mjs';
import { buildAll, SERVER } from '../../../../server/setup/build.mjs';
import { installDependencies, ROOT } from '../../../../server/setup/dependencies.mjs';

/**
 * `npm test -- cluster`: a prompt is explained through page, local server and a real inference server, Ray Serve, of which
 * one replica is killed on the way. Needs Linux and Python 3.10 or newer; without them it says what is missing.
 */
installDependencies();
buildAll();
process.env.CHROMIUM_PATH = await provideChromium();

const CACHE = join(ROOT, 'node_modules/.cache/lightwell-cluster');

/** The folder of this file has a configuration of its own. */
const TESTS = join(ROOT, 'test/e2e/transports/cluster');

const OUT = join(CACHE, 'export');
const why = whyMissing();
if (why === undefined) process.exit(check());
console.log(`cluster skipped: ${why}`);

/** @returns {string | undefined} */
function whyMissing() {
  if (process.platform !== 'linux') return 'Ray is started and ended by means of Linux here';
  return whyNoPython();
}

/** @returns {number} the exit status */
function check() {
  mkdirSync(CACHE, { recursive: true });
  spawnSync('rm', ['-rf', OUT]);
  const exported = spawnSync('node', [SERVER, 'export-engine', join(ROOT, 'public/models/lightwell-base'), OUT], {
    stdio: 'inherit',
  });
  if (exported.status !== 0) return 1;
  const installed = environmentWith(CACHE, join(OUT, 'ray/requirements.txt'));
  if ('missing' in installed) {
    console.log(`cluster skipped: ${installed.missing}`);
    return 0;
  }
  const { status } = spawnSync('npx', ['playwright', 'test', '-c', TESTS], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CLUSTER_PYTHON: installed.python, CLUSTER_EXPORT: OUT },
  });
  return status ?? 1;
}
