// @ts-check
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CHECKS } from './checks.mjs';
import { provideHeadless } from './support/browser/chromium.mjs';
import { giveUp, installDependencies, ROOT } from '../server/setup/dependencies.mjs';

/**
 * `npm test` runs every check, `npm test -- --wide` those too that need more than Node and Chromium, `npm run check` those
 * of everyday work, `npm test -- NAME [arguments]` one.
 *
 * @typedef {import('./checks.mjs').Check} Check
 * @typedef {import('./checks.mjs').Command} Command
 */

/** Two cores are the least that is counted on. */
const SIDE_BY_SIDE = 2;

/** Mutated bodies that the everyday check sends; all of `npm test` are in `test/conformance/fuzz`. */
const EVERYDAY_BODIES = '500';

/** @typedef {{ name: string, result: 'passed' | 'failed' | 'not run', seconds: number, printed?: string }} Outcome */

const [first, ...others] = process.argv.slice(2);
if (first === undefined || first === '--wide')
  await runWhole(CHECKS.filter((check) => first === '--wide' || !check.isWide));
else if (first === '--everyday') await runEveryday();
else process.exitCode = await runCommands(checkNamed(first), others, 'inherit');

async function runEveryday() {
  installDependencies();
  process.env.FUZZ_BODIES ??= EVERYDAY_BODIES;
  await printAll(CHECKS.filter(({ isEveryday }) => isEveryday));
}

/** @param {readonly Check[]} checks */
async function runWhole(checks) {
  installDependencies();
  await provideHeadless();
  await printAll(checks.filter(({ isNamed }) => !isNamed));
}

/** @param {readonly Check[]} checks */
async function printAll(checks) {
  const outcomes = await runAll(checks);
  const table = tableOf(outcomes);
  console.log(`\n${table}`);
  summarise(table, outcomes);
  process.exitCode = outcomes.every(({ result }) => result === 'passed') ? 0 : 1;
}

/**
 * @param {string} name
 * @returns {Check}
 */
function checkNamed(name) {
  const names = CHECKS.map((check) => check.name).join(', ');
  return (
    CHECKS.find((check) => check.name === name) ??
    giveUp(`npm test: expected --wide, --everyday or a check (${names}), got "${name}"`)
  );
}

/**
 * Run every check even after one failed: a red table that is complete saves a second round. Those that need a core run
 * two at a time.
 *
 * @param {readonly Check[]} checks
 * @returns {Promise<Outcome[]>}  in the order of the list
 */
async function runAll(checks) {
  /** @type {Map<string, Promise<Outcome>>} */
  const started = new Map();
  /** @type {Set<Promise<Outcome>>} */
  const running = new Set();
  for (const check of checks) {
    const needed = await Promise.all((check.needs ?? []).map((name) => started.get(name)));
    while (running.size >= (check.isAlone ? 1 : SIDE_BY_SIDE)) await Promise.race(running);
    const outcome = needed.every((each) => each?.result === 'passed') ? runOne(check) : notRun(check);
    started.set(check.name, outcome);
    running.add(outcome);
    void outcome.then(() => running.delete(outcome));
    if (check.isAlone) await outcome;
  }
  return Promise.all(started.values());
}

/**
 * @param {Check} check
 * @returns {Promise<Outcome>}
 */
async function notRun({ name }) {
  return { name, result: 'not run', seconds: 0 };
}

/**
 * What a check prints is kept until it is over, so that two do not mix; of one that runs alone it is shown at once.
 *
 * @param {Check} check
 * @returns {Promise<Outcome>}
 */
async function runOne(check) {
  const { name, isAlone = false } = check;
  const startedMs = performance.now();
  if (isAlone) console.log(`\n=== ${name}`);
  /** @type {Buffer[]} */
  const printed = [];
  const status = await runCommands(check, [], isAlone ? 'inherit' : printed);
  const text = Buffer.concat(printed).toString();
  if (!isAlone) process.stdout.write(`\n=== ${name}\n${text}`);
  const seconds = (performance.now() - startedMs) / 1000;
  return { name, result: status === 0 ? 'passed' : 'failed', seconds, printed: text };
}

/**
 * Runs the commands of a check until one fails.
 *
 * @param {Check} check
 * @param {readonly string[]} args  for the last command
 * @param {'inherit' | Buffer[]} output  what keeps the output, or `inherit` to show it
 * @returns {Promise<number>}  the exit status
 */
async function runCommands({ commands }, args, output) {
  for (const command of commands) {
    const status = await runCommand(command === commands.at(-1) ? [...command, ...args] : command, output);
    if (status !== 0) return status;
  }
  return 0;
}

/**
 * @param {Command} command
 * @param {'inherit' | Buffer[]} output
 * @returns {Promise<number>}
 */
function runCommand([program, ...args], output) {
  const shell = process.platform === 'win32' && program !== 'node'; // programs of npm are .cmd files there, which only a shell can start
  const path = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter); // programs are found without npm, too
  const env = { ...process.env, PATH: path };
  const stdio = output === 'inherit' ? 'inherit' : /** @type {const} */ ('pipe');
  const child = spawn(program === 'node' ? process.execPath : program, args, { cwd: ROOT, env, shell, stdio });
  const keep = (/** @type {Buffer} */ data) => output !== 'inherit' && output.push(data);
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.on('error', ({ message }) => console.error(`${program}: ${message}`));
  return new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)));
}

/** @param {readonly Outcome[]} rows */
function tableOf(rows) {
  const lines = rows.map(
    ({ name, result, seconds }) => `${name.padEnd(14)}${result.padEnd(10)}${seconds.toFixed(1).padStart(7)}`,
  );
  return [`${'check'.padEnd(14)}${'result'.padEnd(10)}seconds`, ...lines].join('\n');
}

/**
 * Continuous integration shows the table with each change, seconds of type checking in it, and the sizes of scripts.
 *
 * @param {string} table
 * @param {readonly Outcome[]} outcomes
 */
function summarise(table, outcomes) {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file === undefined) return;
  const sizes = outcomes.filter(({ name }) => name === 'size').map(({ printed = '' }) => printed);
  for (const text of [table, ...sizes]) appendFileSync(file, `\`\`\`\n${text.trimEnd()}\n\`\`\`\n`);
}
