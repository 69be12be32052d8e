// @ts-check
import { spawn } from 'node:child_process';
import { buildPage } from './setup/build.mjs';
import { installDependencies } from './setup/dependencies.mjs';

/** The one command: install, build, serve, open. Needs nothing but node, so that it runs on a fresh clone. */
installDependencies();
buildPage();
const { serveUntilStopped } = await import('./serve.mjs'); // it needs a dependency
const url = await serveUntilStopped();
if (process.env.CI !== '1') openInBrowser(url);

/**
 * Open the page in the user's browser; where there is none, the printed address must do.
 *
 * @param {string} address
 */
function openInBrowser(address) {
  const [command, ...args] = openCommand(address);
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => console.log(`No browser could be opened from here; open ${address} yourself.`))
    .unref();
}

/**
 * @param {string} address
 * @returns {[string, ...string[]]}
 */
function openCommand(address) {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '', address];
  return ['xdg-open', address];
}
