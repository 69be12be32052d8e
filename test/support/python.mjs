// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ends an installation that hangs. */
const INSTALL_MS = 3_600_000;

/** @returns {string | undefined}  undefined where there is a Python that makes virtual environments */
export function whyNoPython() {
  const version = spawnSync('python3', ['-c', 'import sys, venv; print(sys.version_info >= (3, 10))']);
  if (version.status !== 0) return 'there is no python3 with venv here';
  if (!String(version.stdout).startsWith('True')) return 'Python is older than 3.10';
  return undefined;
}

/**
 * A virtual environment with what the files list, made once for each content of them.
 *
 * @param {string} cache  folder of the environments
 * @param {string} requirements  file for pip
 * @param {string} [alone]  another one, installed without the dependencies of its packages
 * @returns {{ readonly python: string } | { readonly missing: string }}  its Python, or why pip could not install
 */
export function environmentWith(cache, requirements, alone) {
  const files = alone === undefined ? [requirements] : [requirements, alone];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  const folder = join(cache, hash.digest('hex').slice(0, 12));
  const python = join(folder, 'bin/python');
  if (existsSync(join(folder, 'complete'))) return { python };
  mkdirSync(cache, { recursive: true });
  spawnSync('python3', ['-m', 'venv', '--clear', folder], { stdio: 'inherit' });
  for (const file of files) {
    const args = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '-r', file];
    if (file === alone) args.push('--no-deps');
    const { status, stderr } = spawnSync(python, args, { timeout: INSTALL_MS });
    if (status !== 0) return { missing: `pip could not install ${file}:\n${String(stderr).slice(-600)}` };
  }
  writeFileSync(join(folder, 'complete'), '');
  return { python };
}
