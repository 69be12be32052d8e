// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-check
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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

/** The repository's folder, wherever a command was called from. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * Run a command in the repository and show what it prints.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {boolean} whether it ended with status 0
 */
export function run(command, args) {
  const shell = process.platform === 'win32'; // npm is a .cmd file there, which only a shell can start
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell });
  if (error) console.error(`${command}: ${error.message}`);
  return status === 0;
}

/**
 * Where the first argument of this program names a subcommand: run it with the arguments after it, and end as it does.
 *
 * @param {Readonly<Record<string, readonly [program: string, ...args: string[]]>>} commands  by name
 */
export function runSubcommand(commands) {
  const [name = '', ...args] = process.argv.slice(2);
  const [, [program, ...before] = []] = Object.entries(commands).find(([each]) => each === name) ?? [];
  if (program !== undefined) process.exit(run(program, [...before, ...args]) ? 0 : 1);
}

/**
 * Say what went wrong, without a stack trace for what is not a bug, and end.
 *
 * @param {string} message
 * @returns {never}
 */
export function giveUp(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
