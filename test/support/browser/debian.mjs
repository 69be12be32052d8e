// @ts-check
import { existsSync } from 'node:fs';
import { run } from '../../../server/setup/dependencies.mjs';

/**
 * Installs packages of Debian and its kin. Only root may; elsewhere nothing happens, and the caller finds nothing new.
 *
 * @param {readonly string[]} packages
 */
export function installPackages(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Installing ${packages.join(', ')} ...`);
  if (run('apt-get', ['update'])) run('apt-get', ['install', '-y', '--no-install-recommends', ...packages]);
}
