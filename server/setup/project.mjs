// @ts-check
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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
 * Say what went wrong, without a stack trace for what is not a bug, and end.
 *
 * @param {string} message
 * @returns {never}
 */
export function giveUp(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
