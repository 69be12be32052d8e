// @ts-check
import { provideChromium } from './support/chromium.mjs';
import { installDependencies } from '../server/setup/dependencies.mjs';
import { run } from '../server/setup/project.mjs';

/**
 * Every check there is, cheapest first. Each is an npm script of its own, so that a failure can be repeated alone.
 * @type {readonly { check: string, needs?: string }[]}
 */
const CHECKS = [
  { check: 'test:format' },
  { check: 'test:lint' },
  { check: 'test:dead' },
  { check: 'test:types' },
  { check: 'test:unit' },
  { check: 'test:golden' },
  { check: 'test:build' },
  { check: 'test:size', needs: 'test:build' },
  { check: 'test:e2e', needs: 'test:build' },
];

/** @typedef {{ check: string, result: 'passed' | 'failed' | 'not run', seconds: number }} Outcome */

installDependencies();
process.env.CHROMIUM_PATH = await provideChromium();
const outcomes = runAll();
print(outcomes);
process.exit(outcomes.every(({ result }) => result === 'passed') ? 0 : 1);

/** Run every check even after one failed: a red table that is complete saves a second round. */
function runAll() {
  /** @type {Outcome[]} */
  const done = [];
  for (const { check, needs } of CHECKS) {
    const isBlocked = done.some((outcome) => outcome.check === needs && outcome.result !== 'passed');
    done.push(isBlocked ? { check, result: 'not run', seconds: 0 } : runOne(check));
  }
  return done;
}

/**
 * @param {string} check
 * @returns {Outcome}
 */
function runOne(check) {
  console.log(`\n=== ${check}`);
  const startedMs = performance.now();
  const result = run('npm', ['run', '--silent', check]) ? 'passed' : 'failed';
  return { check, result, seconds: (performance.now() - startedMs) / 1000 };
}

/** @param {readonly Outcome[]} rows */
function print(rows) {
  console.log(`\n${'check'.padEnd(14)}${'result'.padEnd(10)}seconds`);
  for (const { check, result, seconds } of rows) {
    console.log(`${check.padEnd(14)}${result.padEnd(10)}${seconds.toFixed(1).padStart(7)}`);
  }
}
