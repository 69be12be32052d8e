// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../server/setup/dependencies.mjs';

/**
 * The training package's own checks: ruff and pytest. They need Python with the package's development requirements
 * (`training/README.md`); where that is missing they are skipped, with the reason.
 */
const TRAINING = join(ROOT, 'training');
const own = join(ROOT, '.venv', 'bin', 'python');
const python = existsSync(own) ? own : 'python3';

const missing = whatIsMissing();
if (missing === undefined) process.exit(allPass() ? 0 : 1);
console.log(`skipped: ${missing}`);

function whatIsMissing() {
  if (!succeeds(['--version'])) return 'there is no Python here';
  for (const tool of ['ruff', 'pytest']) if (!succeeds(['-c', `import ${tool}`])) return `${tool} is not installed`;
  return undefined;
}

function allPass() {
  const commands = [
    ['ruff', 'check', '.'],
    ['ruff', 'format', '--check', '.'],
    ['pytest', '-q'],
  ];
  return commands.every((command) => run(['-m', ...command], 'inherit') === 0);
}

/** @param {readonly string[]} args */
function succeeds(args) {
  return run(args, 'ignore') === 0;
}

/**
 * @param {readonly string[]} args
 * @param {'inherit' | 'ignore'} stdio
 */
function run(args, stdio) {
  return spawnSync(python, args, { cwd: TRAINING, stdio }).status;
}
