// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { buildAll, DIST } from '../../../server/setup/build.mjs';
import { ROOT } from '../../../server/setup/dependencies.mjs';
import { provideChromium, QUIET_SWITCHES } from '../../support/browser/chromium.mjs';

/**
 * Makes uses of each seam fail, in every operation, and prints what came of it: `npm test -- faults`. A sample stands for uses
 * that the same code made; `--all` takes every one. `--only TEXT` takes operations of that name, `--fault TEXT` faults with
 * that in their name, `--state first`, `loaded` or `route` one state, `--lasting once` one of the two ways, `--most N` the
 * first uses of each seam only; `--pages N` works in so many pages side by side.
 * It ends with 1 where a request hung, an answer was wrong or something leaked.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    fault: { type: 'string', multiple: true, default: [''] },
    state: { type: 'string' },
    most: { type: 'string', default: 'Infinity' },
    lasting: { type: 'string' },
    all: { type: 'boolean', default: false },
    pages: { type: 'string', default: '2' },
  },
});

const choice = { all: values.all, most: Number(values.most) };
const startedMs = performance.now();

buildAll();
/** @type {{ module: typeof import('../../../server/serve.ts') }} */
const { module: server } = await runnerImport('./server/serve.ts');
/** @type {{ module: typeof import('./test-build.ts') }} */
const { module: testBuild } = await runnerImport('./test/e2e/faults/test-build.ts');
/** @type {{ module: typeof import('./trial.ts') }} */
const { module: trial } = await runnerImport('./test/e2e/faults/trial.ts');
/** @type {{ module: typeof import('./operations.ts') }} */
const { module: operations } = await runnerImport('./test/e2e/faults/operations.ts');
/** @type {{ module: typeof import('./route-trial.ts') }} */
const { module: routes } = await runnerImport('./test/e2e/faults/route-trial.ts');
/** @type {{ module: typeof import('./report.ts') }} */
const { module: report } = await runnerImport('./test/e2e/faults/report.ts');

const folder = join(ROOT, `node_modules/.cache/lightwell-faults/${process.pid}`);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await testBuild.makeTestBuild(DIST, folder);
const served = await server.startServer({ root: folder, port: 0 });
const browser = await chromium.launch({
  executablePath: await provideChromium(),
  args: [
    ...QUIET_SWITCHES,
    '--js-flags=--liftoff-only', // each worker compiles the runtime anew: fast matters more than fast code
  ],
});
/** @type {import('./trial.ts').GroupResult[]} */
const results = [];
try {
  const tasks = [...chosenRoutes(), ...chosenGroups()];
  await Promise.all(Array.from({ length: Number(values.pages) }, () => workThrough(tasks)));
} finally {
  await browser.close();
  await served.close();
}
console.log(report.markdownOf(report.byOperation(results)));
console.log(`\n${report.markdownOf(report.byFault(results))}`);
console.log(`\n${report.totalOf(results)}, ${Math.round((performance.now() - startedMs) / 60_000)} minutes`);
process.exitCode = results.some(({ problems }) => problems.length > 0) ? 1 : 0;

/**
 * Takes one list of groups after the other. Each page has its own storage and locks, so that it holds only what is its own.
 *
 * @param {Task[]} tasks  shared with other pages
 */
async function workThrough(tasks) {
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const context = await browser.newContext();
    const run = await task(context);
    for (const each of run) note(await each());
    await context.close();
  }
}

/** @param {import('./trial.ts').GroupResult} result */
function note(result) {
  results.push(result);
  if (result.points > 0) console.error(`${result.group}: ${result.fault}: ${JSON.stringify(result.outcomes)}`);
  for (const problem of result.problems) console.error(`  ${problem}`);
}

/** @typedef {(context: import('playwright').BrowserContext) => Promise<(() => Promise<import('./trial.ts').GroupResult>)[]>} Task */

/** @returns {Task[]}  one for each operation and state */
function chosenGroups() {
  const { OPERATIONS, FIRST_OPERATIONS } = operations;
  const names = /** @type {(keyof typeof OPERATIONS)[]} */ (Object.keys(OPERATIONS));
  return trial
    .allGroups(chosenLastings(), names, FIRST_OPERATIONS)
    .map((list) => list.filter(({ operation, state, fault }) => isChosen(operation, state, fault)))
    .filter((list) => list.length > 0)
    .map((list) => async (context) => {
      const trials = await trial.createTrials(await context.newPage(), `${served.url}${testBuild.HARNESS_PAGE}`);
      return list.map((group) => () => trials.run(group, choice));
    });
}

/** @returns {Task[]}  one for all routes; a bridge that serves two pages would not tell them apart */
function chosenRoutes() {
  const groups = routes.ROUTES.flatMap((route) =>
    routes.ROUTE_FAULTS[route]
      .filter((fault) => isChosen(route, 'route', fault))
      .flatMap((fault) => chosenLastings().map((lasting) => ({ route, fault, lasting }))),
  );
  if (groups.length === 0) return [];
  return [
    async (context) => {
      const trials = await routes.createRoutes(context, served.url);
      return groups.map((group) => () => trials.run(group, choice));
    },
  ];
}

function chosenLastings() {
  const both = /** @type {const} */ (['once', 'from then on']);
  return both.filter((each) => values.lasting === undefined || each === values.lasting);
}

/**
 * @param {string} name
 * @param {string} state
 * @param {string} fault
 */
function isChosen(name, state, fault) {
  const isNamed = values.only.some((text) => name === text || text === '');
  return isNamed && [state, undefined].includes(values.state) && values.fault.some((text) => fault.includes(text));
}
