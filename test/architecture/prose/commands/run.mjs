// @ts-check
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runnerImport } from 'vite';
import { ROOT } from '../../../../server/setup/dependencies.mjs';
import { provideChromium } from '../../../support/browser/chromium.mjs';

/**
 * Runs the commands of the documents, each on as little as it takes: `npm test -- commands`. Those that checks of
 * `npm test` run are left to them. `npm test -- commands TEXT` runs those that have TEXT in them.
 */
const [text = ''] = process.argv.slice(2);
process.env.CHROMIUM_PATH = await provideChromium();
/** @type {{ module: typeof import('./table.ts') }} */
const { module: table } = await runnerImport('./test/architecture/prose/commands/table.ts');

let failures = 0;
for (const [line, how] of Object.entries(table.COMMANDS)) {
  if (!line.includes(text)) continue;
  const result = await resultOf(how);
  if (result === null) continue;
  if (result.startsWith('failed')) failures++;
  console.log(`${line}: ${result}`);
}
process.exit(failures === 0 ? 0 : 1);

/**
 * @param {import('./table.ts').Shown} how
 * @returns {Promise<string | null>}  null for what is not run here
 */
async function resultOf(how) {
  if ('notRun' in how) return `not run: ${how.notRun}`;
  if ('serve' in how) return timed(() => serves(how.serve));
  if (!('run' in how)) return null;
  if (how.needs !== undefined && !existsSync(join(ROOT, how.needs))) return `not run: there is no ${how.needs}`;
  return timed(() => runs(how.run));
}

/** @param {() => Promise<string | null>} work  the reason why it failed, or null */
async function timed(work) {
  const startedMs = performance.now();
  const problem = await work();
  return problem === null ? `passed, ${Math.round((performance.now() - startedMs) / 1000)} s` : `failed: ${problem}`;
}

/**
 * @param {string} command
 * @returns {Promise<string | null>}
 */
function runs(command) {
  const child = spawn(command, { cwd: ROOT, shell: true });
  const said = saidBy(child);
  return new Promise((resolve) =>
    child.on('close', (status) => resolve(status === 0 ? null : `status ${status}\n${said()}`)),
  );
}

/**
 * @param {string} command  that prints the address of what it serves
 * @returns {Promise<string | null>}
 */
async function serves(command) {
  const child = spawn(command, { cwd: ROOT, shell: true, detached: true });
  const said = saidBy(child);
  try {
    const address = await new Promise((resolve, reject) => {
      child.stdout.on('data', () => {
        // Without colours: Vite prints the port in bold.
        const found = /http:\/\/(localhost|127\.0\.0\.1):\d+/.exec(stripVTControlCharacters(said()));
        if (found) resolve(found[0]);
      });
      child.on('close', (status) => reject(new Error(`ended with status ${status}\n${said()}`)));
    });
    const { status } = await fetch(address, { headers: { Accept: 'text/html' } });
    return status === 200 ? null : `${address} has status ${status}`;
  } catch (error) {
    return String(error);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
  }
}

/** @param {import('node:child_process').ChildProcessWithoutNullStreams} child */
function saidBy(child) {
  let said = '';
  const note = (/** @type {Buffer} */ data) => void (said += data);
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  return () => said;
}
