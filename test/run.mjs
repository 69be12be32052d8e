// @ts-check
import { spawn } from 'node:child_process';
import { provideHeadless } from './support/browser/chromium.mjs';
import { installDependencies } from '../server/setup/dependencies.mjs';
import { ROOT } from '../server/setup/project.mjs';

/**
 * @typedef {object} Check
 * @property {string} name           an npm script of its own, so that a failure can be repeated alone
 * @property {readonly string[]} [needs]  checks that must have passed before
 * @property {boolean} [isAlone]     keeps every core busy: nothing runs beside it
 * @property {boolean} [isEveryday]  part of `npm run check`
 * @property {boolean} [isWide]      only with `--wide`, as continuous integration runs it: needs more than Node and Chromium
 */

/**
 * Every check there is: the longest that something can run beside, then the cheapest first.
 * @type {readonly Check[]}
 */
const CHECKS = [
  { name: 'test:webgpu' }, // first: it is long, and waits for the software adapter half of the time
  { name: 'test:unit', isEveryday: true }, // next, for it waits for a third of its time
  { name: 'test:golden' }, // before those that never wait: its last files leave a core to them
  { name: 'test:format', isEveryday: true },
  { name: 'test:lint', isEveryday: true },
  { name: 'test:dead', isEveryday: true },
  { name: 'test:prose', isEveryday: true },
  { name: 'test:types', isEveryday: true },
  { name: 'test:build' },
  { name: 'test:size', needs: ['test:build'] },
  { name: 'test:training' },
  { name: 'test:cluster', needs: ['test:build'], isWide: true },
  { name: 'test:browsers', needs: ['test:build'], isWide: true },
  { name: 'test:e2e', needs: ['test:build'], isAlone: true },
];

/** Two cores are the least that is counted on. */
const SIDE_BY_SIDE = 2;

/** Mutated bodies that the everyday check sends; all of `npm test` are in `test/conformance/fuzz`. */
const EVERYDAY_BODIES = '500';

/** @typedef {{ name: string, result: 'passed' | 'failed' | 'not run', seconds: number }} Outcome */

const isEveryday = process.argv.includes('--everyday');
const isWide = process.argv.includes('--wide');
if (isEveryday) process.env.FUZZ_BODIES ??= EVERYDAY_BODIES;
else {
  installDependencies();
  await provideHeadless();
}
const outcomes = await runAll(CHECKS.filter((check) => (isEveryday ? check.isEveryday : isWide || !check.isWide)));
print(outcomes);
process.exit(outcomes.every(({ result }) => result === 'passed') ? 0 : 1);

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
function runOne({ name, isAlone = false }) {
  const startedMs = performance.now();
  if (isAlone) console.log(`\n=== ${name}`);
  const shell = process.platform === 'win32'; // npm is a .cmd file there, which only a shell can start
  const stdio = isAlone ? /** @type {const} */ ('inherit') : /** @type {const} */ ('pipe');
  const child = spawn('npm', ['run', '--silent', name], { cwd: ROOT, shell, stdio });
  /** @type {Buffer[]} */
  const printed = [];
  child.stdout?.on('data', (data) => printed.push(data));
  child.stderr?.on('data', (data) => printed.push(data));
  child.on('error', ({ message }) => console.error(`npm: ${message}`));
  return new Promise((resolve) => {
    child.on('close', (status) => {
      if (!isAlone) process.stdout.write(`\n=== ${name}\n${Buffer.concat(printed).toString()}`);
      const seconds = (performance.now() - startedMs) / 1000;
      resolve({ name, result: status === 0 ? 'passed' : 'failed', seconds });
    });
  });
}

/** @param {readonly Outcome[]} rows */
function print(rows) {
  console.log(`\n${'check'.padEnd(14)}${'result'.padEnd(10)}seconds`);
  for (const { name, result, seconds } of rows) {
    console.log(`${name.padEnd(14)}${result.padEnd(10)}${seconds.toFixed(1).padStart(7)}`);
  }
}
