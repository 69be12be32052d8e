// @ts-check
import { rmSync } from 'node:fs';
import { chromium } from 'playwright';
import { build, preview, runnerImport } from 'vite';
import { buildAll } from '../server/setup/build.mjs';
import { giveUp, runSubcommand } from '../server/setup/dependencies.mjs';
import { provideChromium, QUIET_SWITCHES } from '../test/support/browser/chromium.mjs';

/**
 * Measures in Chromium on WebAssembly, and prints a table for each section. `npm run bench -- --quick` does one round of
 * each, `--only NAME,NAME` some of them. `npm run bench -- SECTION …` runs one of `PROGRAMS`, which have options of their
 * own. `npm run bench -- plan` measures nothing: it prints what an explanation costs on a remote engine, also of a model
 * that is not there.
 */
const PROGRAMS = {
  soak: 'bench/soak/run.mjs',
  visits: 'bench/visits.mjs',
  embeddings: 'bench/networks/embeddings/run.mjs',
  generation: 'bench/networks/generation/run.mjs',
  graphs: 'bench/networks/families/run.mjs',
  headless: 'bench/headless.mjs',
  'heat-maps': 'bench/heat-maps/run.mjs',
  memory: 'bench/networks/memory/run.mjs',
  mutations: 'bench/mutations/run.mjs',
  threads: 'bench/networks/threads/run.mjs',
};
const [section, ...options] = process.argv.slice(2);
if (section === 'plan') await plan(options);
runSubcommand(Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, ['node', path]])));
if (section !== undefined && !section.startsWith('-'))
  giveUp(`npm run bench: expected plan, ${Object.keys(PROGRAMS).join(', ')} or --only NAME, got "${section}"`);

const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;

/** @typedef {import('./page.ts').Benches} Benches */
/** @typedef {Record<string, string | number>} Row */
/** @typedef {{ title: string, run: () => Promise<readonly Row[]> }} Section */

// A folder of its own, so that two runs do not disturb each other.
// The built code is measured, as it is served, not the development server's; the page itself is in the configuration.
const outDir = `node_modules/.cache/lightwell-bench-${process.pid}`;
await build({
  build: { outDir, emptyOutDir: true, rolldownOptions: { input: { bench: 'bench/index.html' } } },
  logLevel: 'error',
});
const server = await preview({ build: { outDir }, preview: { port: 0 }, logLevel: 'error' });
const url = server.resolvedUrls?.local[0] ?? '';
const executablePath = await provideChromium();
/** @param {readonly string[]} switches */
const launch = (switches) => chromium.launch({ executablePath, args: [...QUIET_SWITCHES, ...switches] });
const browser = await launch([]);
try {
  for (const { title, run } of chosen(await sections())) {
    console.log(title);
    console.table((await run()).map(rounded));
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(outDir, { recursive: true });
}

/** @returns {Promise<Readonly<Record<string, Section>>>}  by the names that `--only` takes */
async function sections() {
  /** @type {{ module: typeof import('./app.ts') }} */
  const { module: app } = await runnerImport('./bench/app.ts');
  /** @type {{ module: typeof import('./screen/main-thread.ts') }} */
  const { module: tasks } = await runnerImport('./bench/screen/main-thread.ts');
  /** @type {{ module: typeof import('./screen/first-visit.ts') }} */
  const { module: visits } = await runnerImport('./bench/screen/first-visit.ts');
  /** @type {{ module: typeof import('./screen/builds.ts') }} */
  const { module: runtimes } = await runnerImport('./bench/screen/builds.ts');
  /** @type {{ module: typeof import('./requests/refusals.ts') }} */
  const { module: refusals } = await runnerImport('./bench/requests/refusals.ts');
  /** @type {{ module: typeof import('./kills/kills.ts') }} */
  const { module: killing } = await runnerImport('./bench/kills/kills.ts');
  /** @type {{ module: typeof import('./kills/task-kills.ts') }} */
  const { module: taskKilling } = await runnerImport('./bench/kills/task-kills.ts');
  /** @type {{ module: typeof import('./requests/json.ts') }} */
  const { module: answers } = await runnerImport('./bench/requests/json.ts');
  /** @type {{ module: typeof import('./requests/interleaving.ts') }} */
  const { module: turns } = await runnerImport('./bench/requests/interleaving.ts');
  /** @type {{ module: typeof import('./screen/large-input.ts') }} */
  const { module: large } = await runnerImport('./bench/screen/large-input.ts');
  /** @type {{ module: typeof import('../server/serve.ts') }} */
  const { module: serving } = await runnerImport('./server/serve.ts');
  /** @type {{ module: typeof import('./screen/map.ts') }} */
  const { module: map } = await runnerImport('./bench/screen/map.ts');
  /** @type {{ module: typeof import('./screen/long-text.ts') }} */
  const { module: texts } = await runnerImport('./bench/screen/long-text.ts');
  /** @type {{ module: typeof import('./screen/devices.ts') }} */
  const { module: devices } = await runnerImport('./bench/screen/devices.ts');
  const measure = await openBenchPage();
  const networks = /** @type {const} */ (['embedded', 'random']);
  const lengths = [32, 64, 128];
  const byToken = quick ? [64] : [64, 128, 256, 512, 1000];
  const bySentence = quick ? [] : [1024, 2048, 4096];
  /** @param {'length' | 'lengthMemory'} what */
  const byLength = (what) =>
    each([
      ...byToken.map((tokens) => () => measure(what, 'embedded', tokens, 1)),
      ...bySentence.map((tokens) => () => measure(what, 'random', tokens, 60)),
    ]);
  return {
    cost: {
      title: 'Explanation: wall time over (N + 1) full forward passes with all logits, target of 8 tokens',
      run: () =>
        each(networks.flatMap((network) => lengths.map((tokens) => () => measure('cost', network, tokens, rounds)))),
    },
    contrast: {
      title: 'Explanation of a target of 8 tokens beside a foil: wall time over the explanation of the target alone',
      run: () =>
        each(
          [64, 128, 256].flatMap((tokens) =>
            [2, 4, 8].map((foilTokens) => () => measure('contrast', 'embedded', tokens, foilTokens, rounds)),
          ),
        ),
    },
    steering: {
      title:
        'Steered passes, explanations and texts of 64 tokens: wall time over the same without steering; half of the rounds lie between',
      run: () =>
        each(
          /** @type {const} */ (['pass', 'explanation', 'text']).flatMap((work) =>
            (work === 'explanation' ? [32] : [64, 256]).map(
              (tokens) => () => measure('steering', work, tokens, quick ? 3 : work === 'pass' ? 60 : 20),
            ),
          ),
        ),
    },
    overhead: {
      title: 'POST /embed through router and worker over the bare session',
      run: () => each([64, 256, 512].map((words) => () => measure('overhead', words, quick ? 5 : 40))),
    },
    memory: {
      title: 'WebAssembly memory of an explanation over one full forward pass, N = 128',
      run: () => each(networks.map((network) => () => measure('memory', network, 128))),
    },
    lengths: {
      title:
        'Explanations by length: exact, and with a budget of 0.15, over N + 1 full forward passes; sections of one token, then of some 60',
      run: () => byLength('length'),
    },
    'lengths-memory': {
      title:
        'WebAssembly memory by length, over one full forward pass: first exact passes, and whole with a budget of 0.15',
      run: () => byLength('lengthMemory'),
    },
    'long-memory': {
      title:
        'WebAssembly memory of the first passes of an explanation over one full forward pass, sections of a sentence',
      run: () =>
        each(
          (quick ? [512] : [512, 1024, 2048, 4096]).map(
            (tokens) => () => measure('memory', quick ? 'random' : '135M', tokens, 24, 4),
          ),
        ),
    },
    gpu: {
      title:
        'WebGPU: passes, their kernels and what they read back; times only on a card (CHROMIUM_PATH names a Chromium that reaches it)',
      run: async () => {
        const reaching = await launch(['--enable-unsafe-webgpu']);
        const measureThere = await openBenchPage(reaching);
        const shipped = /** @type {const} */ (['embedded', 'embedder', 'reader']);
        const random = /** @type {const} */ ([
          'random',
          'random fp32',
          'random q4f16',
          '135M',
          '135M fp32',
          '135M fp16',
          '135M q4f16',
          '600M q4f16',
        ]);
        const rows = [];
        for (const name of quick ? shipped : [...shipped, ...random]) rows.push(...(await measureThere('gpu', name)));
        await reaching.close();
        return rows;
      },
    },
    devices: {
      title: 'Tasks over the API of the page on WebAssembly and on WebGPU, ms; on a card only',
      run: async () => {
        const reaching = await launch(['--enable-unsafe-webgpu']);
        const rows = await devices.devices(reaching, url);
        await reaching.close();
        return rows;
      },
    },
    'main-thread': {
      title: 'Longest task of the main thread, in processor time; more than 50 ms is felt',
      run: () => tasks.mainThread(browser, url),
    },
    'first-visit': {
      title: 'First explanation on screen over first paint, each visit in a fresh profile',
      run: () => visits.firstVisits(browser, url, rounds),
    },
    builds: {
      title:
        'Both builds of ONNX Runtime, in turn: seconds until the model has answered, then of explanations of 160 words',
      run: () => runtimes.builds(() => launch([]), url, rounds),
    },
    'large-input': {
      title: 'The same while a text of 60 million characters is pasted, and while bodies of that length are answered',
      run: () => {
        buildAll(); // with the service worker
        return large.largeInput(browser, serving.startServer);
      },
    },
    map: {
      title:
        'Map of texts: from reading them to the map, and frames while it is dragged; tasks of the main thread in processor time',
      run: () => map.maps(browser, url),
    },
    'long-text': {
      title: 'Frames while a text of 5,000 sections scrolls: as a heat map, and as plain coloured spans',
      run: () => texts.longText(browser, url, rounds),
    },
    abort: {
      title: 'An abort in the middle of an explanation: until it rejects, until the next request is answered',
      run: () => app.aborts(browser, url, rounds),
    },
    refusals: {
      title: 'Time to the refusal of each rule that needs no model, while a long explanation runs',
      run: () => refusals.refusals(browser, url, quick ? 3 : 21),
    },
    interleaving: {
      title: 'Single calls of /embed while an explanation of 1,000 tokens runs',
      run: () => turns.interleaving(browser, url, quick ? 20 : 200),
    },
    kills: {
      title: 'Requests whose worker dies on the way: results, time until the death is noticed, memory of the page',
      run: () => killing.kills(launch, url, killing.optionsOf(optionOf, quick ? 12 : 60)),
    },
    'task-kills': {
      title: 'Tasks of the page whose worker is terminated on the way: how they end, and the same task after that',
      run: () => taskKilling.taskKills(browser, url, Number(optionOf('--count') ?? (quick ? 3 : 50))),
    },
    json: {
      title:
        'Completions in JSON of many schemas: valid ones, and time over that of completions in any form of as many tokens',
      run: () => answers.jsonAnswers(browser, url, quick ? 1 : 3),
    },
    batch: {
      title: '100 semantic embeddings in one call over 100 calls',
      run: () => app.batches(browser, url),
    },
  };
}

/**
 * @param {Readonly<Record<string, Section>>} all
 * @returns {Section[]}
 */
function chosen(all) {
  const only = optionOf('--only');
  if (only === undefined) return Object.values(all);
  return only.split(',').map((name) => {
    const section = all[name];
    if (!section) throw new Error(`--only: expected ${Object.keys(all).join(', ')}, got "${name}"`);
    return section;
  });
}

/**
 * @param {string} name  such as `--only`
 * @returns {string | undefined}  what stands behind it
 */
function optionOf(name) {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : (process.argv[at + 1] ?? '');
}

/** The page that holds the engine's own measures, and how to call them. */
async function openBenchPage(where = browser) {
  const page = await where.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(`${url}bench/index.html`);
  await page.waitForFunction('"benches" in globalThis');
  /**
   * @template {keyof Benches} Name
   * @param {Name} name
   * @param {Parameters<Benches[Name]>} parameters
   * @returns {Promise<Awaited<ReturnType<Benches[Name]>>>}
   */
  return (name, ...parameters) =>
    page.evaluate(
      ([asked, given]) => Reflect.get(globalThis, 'benches')[asked](...given),
      /** @type {const} */ ([name, parameters]),
    );
}

/**
 * One after another: two at once would measure each other.
 *
 * @param {readonly (() => Promise<Row>)[]} measures
 */
async function each(measures) {
  const rows = [];
  for (const measure of measures) rows.push(await measure());
  return rows;
}

/** @param {Row} row */
function rounded(row) {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toPrecision(3)) : value]),
  );
}

/**
 * Prints the plan and ends: nothing is built, no browser is started.
 *
 * @param {readonly string[]} args
 */
async function plan(args) {
  /** @type {{ module: typeof import('./engine/plan.ts') }} */
  const { module } = await runnerImport('./bench/engine/plan.ts');
  const input = module.planInput(args);
  console.log(input);
  console.table(module.plannedWays(input).map((way) => rounded({ ...way })));
  process.exit(0);
}
