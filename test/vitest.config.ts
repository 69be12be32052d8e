import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { findHeadless } from './support/browser/chromium.mjs';
import { LATE_OPTIMISATION, optimiseLate } from './support/browser/late-optimisation.ts';
import { ISOLATION_HEADERS } from '../src/protocol/page/headers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Networks and weights that this project did not make; tests on them are skipped, with the reason, where they are absent. */
const dataFolder = resolve(root, process.env['LIGHTWELL_DATA'] ?? '../shared/data');
const data = existsSync(dataFolder) ? realpathSync(dataFolder) : null;

/** Asked here and not in the browser: Vite answers for a missing file with the app's page, and then loads the whole app. */
const hasHubFolders = data !== null && existsSync(resolve(data, 'hub-made'));

/** Graphs that `test/golden/foreign/make-families.py` has made. */
const familiesFolder = resolve(root, process.env['LIGHTWELL_FAMILIES'] ?? '../shared/families');
const families = existsSync(familiesFolder) ? realpathSync(familiesFolder) : null;

/** Ends a test that hangs; on a busy machine nothing else may meet it. */
const HANGS_MS = 300_000;
const LIMITS = { testTimeout: HANGS_MS, hookTimeout: HANGS_MS };

/** Judgements of the models, not of the engine: one place is enough. */
const JUDGEMENTS = ['ask', 'context-prompts', 'embedded-reader', 'lens', 'class-examples'].map(
  (name) => `test/golden/embedded/${name}.test.ts`,
);

/** What needs a server of the protocol in its own process. */
const OVER_THE_WIRE = ['test/golden/remote/*.test.ts'];

/** The table of graphs and families: it times passes, for which one place is enough. */
const TABLE = 'test/golden/foreign/families.test.ts';

/**
 * What Node repeats: it runs the WebAssembly that Chromium runs, on one thread, so that the formulas and the relations
 * between runs tell whether that changes a number.
 */
const IN_NODE = [
  ...JUDGEMENTS,
  ...OVER_THE_WIRE,
  TABLE,
  'test/golden/engine/formulas.test.ts',
  'test/golden/engine/sparse-rows.test.ts',
  'test/golden/engine/relations.test.ts',
  'test/golden/engine/own-steps.test.ts',
  'test/golden/engine/widened-weights.test.ts',
  'test/golden/engine/widened-halves.test.ts',
];

/**
 * What WebAssembly shows as well: how files are read, and the numbers of networks whose operators run on WebGPU in other
 * files too. Software WebGPU compiles shaders for ten seconds for each network.
 */
const SHOWN_BY_WASM = ['bad-folders', 'tiers', 'unusual-files', 'trained-weights'].map(
  (name) => `test/golden/foreign/${name}.test.ts`,
);

/** `GOLDEN=all` runs on WebGPU all that runs on WebAssembly: for a new version of the runtime, or a new rewrite. */
const runsSample = process.env['GOLDEN'] !== 'all';

const GOLDEN = {
  // Files share what one of them has compiled: the runtime is 27 MB of WebAssembly, and each shader is compiled once.
  isolate: false,
  globalSetup: ['test/support/onnx/hub.ts'],
  ...LIMITS,
};

const SWITCHES = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  `--js-flags=${LATE_OPTIMISATION}`,
];

/** The golden tests in Chromium, on one backend. Software WebGPU is some fifty times slower than WASM. */
function goldenInBrowser(backend: 'wasm' | 'webgpu', executablePath: string | undefined): TestProjectConfiguration {
  const samples = backend === 'webgpu' && runsSample;
  const launchOptions = { args: SWITCHES, ...(executablePath ? { executablePath } : {}) };
  return {
    optimizeDeps: { exclude: ['onnxruntime-web', '@huggingface/transformers'] },
    server: { headers: ISOLATION_HEADERS, fs: { allow: [root, ...(data ? [data] : [])] } },
    test: {
      ...GOLDEN,
      include: ['test/golden/**/*.test.ts'],
      exclude: [...JUDGEMENTS, ...OVER_THE_WIRE, TABLE, ...(samples ? SHOWN_BY_WASM : [])],
      name: `golden-${backend}`,
      provide: { place: { backend, browser: true, samples, root, data, families, hasHubFolders } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}

const READERS_OF_PDF = 'test/unit/files/pdf/**/*.test.ts';

function projects(chromium: string | undefined): TestProjectConfiguration[] {
  return [
    {
      // Classes of pdf.js remain changed in a thread, so that each file has a thread of its own.
      test: {
        name: 'pdf',
        environment: 'node',
        pool: 'threads',
        maxWorkers: '100%',
        ...LIMITS,
        include: [READERS_OF_PDF],
      },
    },
    {
      test: {
        name: 'unit',
        environment: 'node',
        // No test leaves anything behind in a module, so files share a thread, and what one of them has imported.
        pool: 'threads',
        isolate: false,
        maxWorkers: '100%', // a third of a worker's time is waiting
        ...LIMITS,
        exclude: [READERS_OF_PDF],
        include: [
          'test/unit/**/*.test.ts',
          'test/conformance/**/*.test.ts',
          'test/architecture/*.test.ts',
          'test/browsers/agreement.test.ts',
        ],
      },
    },
    {
      test: {
        name: 'browsers',
        environment: 'node',
        ...LIMITS,
        include: ['test/browsers/smoke.test.ts'],
      },
    },
    { test: { name: 'prose', environment: 'node', ...LIMITS, include: ['test/architecture/prose/*.test.ts'] } },
    {
      test: {
        ...GOLDEN,
        include: IN_NODE,
        name: 'golden-node',
        environment: 'node',
        pool: 'threads',
        maxWorkers: 1,
        provide: { place: { backend: 'wasm', browser: false, samples: false, root, data, families, hasHubFolders } },
      },
    },
    goldenInBrowser('wasm', chromium),
    goldenInBrowser('webgpu', chromium),
  ];
}

optimiseLate(); // tests in Node run in threads of this process

export default defineConfig(async () => ({ test: { projects: projects(await findHeadless()) } }));
