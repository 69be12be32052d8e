// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideChromium } from '../../../support/browser/chromium.mjs';
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

/** Ends an installation that hangs. */
const INSTALL_MS = 480_000;

/** The folder of this file has a configuration of its own. */
const TESTS = join(ROOT, 'test/e2e/transports/cluster');

const OUT = join(CACHE, 'export');
const why = whyMissing();
if (why === undefined) process.exit(check());
console.log(`cluster skipped: ${why}`);

/** @returns {string | undefined} */
function whyMissing() {
  if (process.platform !== 'linux') return 'Ray is started and ended by means of Linux here';
  const version = spawnSync('python3', ['-c', 'import sys, venv; print(sys.version_info >= (3, 10))']);
  if (version.status !== 0) return 'there is no python3 with venv here';
  if (!String(version.stdout).startsWith('True')) return 'Python is older than 3.10';
  return undefined;
}

/** @returns {number} the exit status */
function check() {
  mkdirSync(CACHE, { recursive: true });
  spawnSync('rm', ['-rf', OUT]);
  const exported = spawnSync('node', [SERVER, 'export-engine', join(ROOT, 'public/models/lightwell-base'), OUT], {
    stdio: 'inherit',
  });
  if (exported.status !== 0) return 1;
  const python = installed(join(OUT, 'ray/requirements.txt'));
  if (python === undefined) return 0;
  const { status } = spawnSync('npx', ['playwright', 'test', '-c', TESTS], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CLUSTER_PYTHON: python, CLUSTER_EXPORT: OUT },
  });
  return status ?? 1;
}

/**
 * A virtual environment with what the file lists, made once for each such file.
 *
 * @param {string} requirements
 * @returns {string | undefined} its Python; undefined where pip could not install
 */
function installed(requirements) {
  const name = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(CACHE, name);
  const python = join(folder, 'bin/python');
  if (existsSync(join(folder, 'complete'))) return python;
  spawnSync('python3', ['-m', 'venv', '--clear', folder], { stdio: 'inherit' });
  const args = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '-r', requirements];
  const { status, stderr } = spawnSync(python, args, { timeout: INSTALL_MS });
  if (status === 0) {
    writeFileSync(join(folder, 'complete'), '');
    return python;
  }
  console.log(`cluster skipped: pip could not install ${requirements}:\n${String(stderr).slice(-600)}`);
  return undefined;
}
