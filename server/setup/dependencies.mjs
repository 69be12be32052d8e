// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, giveUp, run } from './project.mjs';

/**
 * Install the locked dependencies unless they already lie in node_modules. No install script of any of them is run.
 */
export function installDependencies() {
  if (areInstalled()) return;
  console.log('Installing the locked dependencies (npm ci) ...');
  if (!run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit']))
    giveUp('npm ci failed; its message is above.');
}

/**
 * Whether node_modules holds what package-lock.json asks for: npm writes the same list into node_modules, so the two are
 * compared. Optional packages may be missing, since most are for other operating systems.
 */
function areInstalled() {
  const installedPath = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return false;
  const wanted = packagesOf(join(ROOT, 'package-lock.json'));
  const installed = packagesOf(installedPath);
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || entry.devOptional || installed[path]?.version === entry.version,
  );
}

/**
 * @param {string} path  a package-lock.json
 * @returns {Record<string, { version: string, optional?: boolean, devOptional?: boolean }>}
 */
function packagesOf(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}
