// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { giveUp, run } from '../../server/setup/project.mjs';
import { installPackages } from './debian.mjs';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The Chromium that tests and benchmarks drive: the one named by CHROMIUM_PATH, the system's, or Playwright's own.
 *
 * @returns {Promise<string | undefined>}  absolute path, undefined where there is none yet
 */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : giveUp(`CHROMIUM_PATH names no file: ${named}`);
  const { chromium } = await import('playwright'); // not at the top: dependencies may just have been installed
  return [...SYSTEM_PATHS, chromium.executablePath()].find((path) => existsSync(path));
}

/**
 * A Chromium that starts, fetched where there is none: Playwright's download first, Debian's package after it.
 *
 * @returns {Promise<string>}  absolute path
 */
export async function provideChromium() {
  const present = await findChromium();
  if (present && starts(present)) return present;
  for (const fetchOne of [fetchFromPlaywright, () => installPackages(['chromium'])]) {
    fetchOne();
    const path = await findChromium();
    if (path && starts(path)) return path;
  }
  return giveUp('No Chromium could be found or installed. Install one and name it: CHROMIUM_PATH=/path/to/chromium');
}

function fetchFromPlaywright() {
  console.log('No Chromium here: fetching the one Playwright was made for ...');
  run('npx', ['playwright', 'install', 'chromium']);
}

/**
 * A downloaded browser can lack libraries of the system; then it prints no version.
 *
 * @param {string} path
 */
function starts(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0;
}
