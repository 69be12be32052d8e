// @ts-check
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, giveUp, run } from './dependencies.mjs';

/** The built page. */
export const DIST = join(ROOT, 'dist');

/** The bundled server. */
export const SERVER = join(ROOT, 'build/server/lightwell.mjs');

/** All that a build reads. A folder's own time counts too: it changes when a file is taken out. */
const SOURCES = ['index.html', 'package-lock.json', 'public', 'server', 'src', 'vite.config.ts', 'workers'];

/** Builds page and server unless the last build is newer than everything it was made from. */
export function buildAll() {
  const built = Math.min(timeOf(join(DIST, 'index.html')), timeOf(SERVER));
  if (built > Math.max(...SOURCES.map((path) => newestIn(join(ROOT, path))))) return;
  console.log('Building page and server ...');
  if (!run('npm', ['run', '--silent', 'build'])) giveUp('The build failed; its message is above.');
}

/**
 * The latest change in a file or folder, in milliseconds.
 *
 * @param {string} path
 * @returns {number}
 */
function newestIn(path) {
  if (!existsSync(path) || !statSync(path).isDirectory()) return timeOf(path);
  return Math.max(timeOf(path), ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** @param {string} path */
function timeOf(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
