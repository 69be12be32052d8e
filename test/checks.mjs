// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../server/setup/dependencies.mjs';

/** @typedef {readonly [program: string, ...args: string[]]} Command  `node`, or a program of `node_modules/.bin` */

/**
 * @typedef {object} Check
 * @property {string} name           `npm test -- NAME` runs it alone
 * @property {readonly Command[]} commands  one after another; arguments of `npm test -- NAME …` go to the last
 * @property {readonly string[]} [needs]  checks that must have passed before
 * @property {boolean} [isAlone]     keeps every core busy: nothing runs beside it
 * @property {boolean} [isEveryday]  part of `npm run check`
 * @property {boolean} [isWide]      only with `--wide`, as continuous integration runs it: needs more than Node and Chromium
 * @property {boolean} [isNamed]     only where it is named: takes minutes to hours
 */

const PROSE = 'test/architecture/prose';

/** @type {(...projects: readonly string[]) => Command} */
const vitest = (...projects) => [
  'vitest',
  'run',
  '-c',
  'test/vitest.config.ts',
  ...projects.flatMap((name) => ['--project', name]),
];

/**
 * Every check: the longest that something can run beside, then the cheapest first.
 * @type {readonly Check[]}
 */
export const CHECKS = [
  { name: 'webgpu', commands: [vitest('golden-webgpu')] }, // first: it is long, and waits for the software adapter half of the time
  { name: 'unit', commands: [vitest('unit', 'pdf')], isEveryday: true }, // next, for it waits for a third of its time
  { name: 'golden', commands: [vitest('golden-node', 'golden-wasm')] }, // before those that never wait: its last files leave a core to them
  { name: 'format', commands: [['oxfmt', '--check']], isEveryday: true },
  {
    name: 'lint',
    commands: [
      ['oxlint', '-c', 'test/architecture/oxlint.json', '--report-unused-disable-directives', '--deny-warnings'],
    ],
    isEveryday: true,
  },
  { name: 'dead', commands: [['knip', '--config', 'test/architecture/knip.json']], isEveryday: true },
  { name: 'prose', commands: [['node', `${PROSE}/spelling.mjs`], vitest('prose')], isEveryday: true },
  {
    name: 'types',
    commands: [
      ['tsc', '-p', '.'],
      ['tsc', '-p', 'workers'],
      ['tsc', '-p', 'server'],
      ['tsc', '-p', 'test'],
    ],
    isEveryday: true,
  },
  { name: 'build', commands: buildCommands() },
  { name: 'size', commands: [['node', 'test/size.mjs']], needs: ['build'] },
  { name: 'training', commands: [['node', 'test/training.mjs']] },
  { name: 'cluster', commands: [['node', 'test/e2e/transports/cluster/run.mjs']], needs: ['build'], isWide: true },
  { name: 'clients', commands: [['node', 'test/conformance/openai/run.mjs']], needs: ['build'], isWide: true },
  { name: 'browsers', commands: [['node', 'test/browsers/run.mjs']], needs: ['build'], isWide: true },
  { name: 'e2e', commands: [['playwright', 'test', '-c', 'test/e2e']], needs: ['build'], isAlone: true },
  { name: 'real', commands: [['node', 'test/real/run.mjs']], isNamed: true },
  { name: 'hosted', commands: [['node', 'test/conformance/hosted/run.mjs']], isNamed: true },
  { name: 'llama', commands: [['node', 'test/e2e/transports/llama-cpp/run.mjs']], isNamed: true },
  { name: 'harness', commands: [['node', 'test/conformance/lm-eval/run.mjs']], isNamed: true },
  { name: 'notebook', commands: [['node', 'test/notebook/run.mjs']], isNamed: true },
  { name: 'commands', commands: [['node', `${PROSE}/commands/run.mjs`]], isNamed: true },
  { name: 'fuzz', commands: [['node', 'test/conformance/fuzz/run.mjs']], isNamed: true },
  { name: 'frames', commands: [['node', 'test/conformance/frames/run.mjs']], isNamed: true },
  { name: 'faults', commands: [['node', 'test/e2e/faults/run.mjs']], isNamed: true },
];

/**
 * What `npm run build` runs, so that there is one list of it.
 *
 * @returns {Command[]}
 */
function buildCommands() {
  /** @type {{ scripts: { build: string } }} */
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return scripts.build.split(' && ').map((command) => {
    const [program = '', ...args] = command.split(' ');
    return [program, ...args];
  });
}
