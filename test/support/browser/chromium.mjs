// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { giveUp, run } from '../../../server/setup/dependencies.mjs';
import { installPackages } from './debian.mjs';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Switches that keep a browser from talking to its maker, and from a sandbox, which root, as in containers, does not have. */
export const QUIET_SWITCHES = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
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

/** Where Debian puts Chromium's headless shell: the same engine of the same version, without the windows around a page. */
const SHELL_PATH = '/usr/bin/chromium-headless-shell';

/**
 * What drives pages that nobody looks at: the one named by CHROMIUM_PATH, the headless shell, or else any Chromium. The
 * shell opens a page for a quarter less, because Chromium draws its own address bar even where it shows no window.
 *
 * @returns {Promise<string | undefined>}  absolute path, undefined where there is none yet
 */
export async function findHeadless() {
  return process.env.CHROMIUM_PATH || !existsSync(SHELL_PATH) ? findChromium() : SHELL_PATH;
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

/** As `provideChromium`, with Debian's headless shell beside Debian's Chromium. Elsewhere Chromium itself is used. */
export async function provideHeadless() {
  const chromium = await provideChromium();
  if (!process.env.CHROMIUM_PATH && chromium === '/usr/bin/chromium' && !existsSync(SHELL_PATH))
    installPackages(['chromium-headless-shell']);
  const headless = await findHeadless();
  if (headless === undefined || !starts(headless)) giveUp(`${headless ?? 'The headless Chromium'} does not start`);
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
