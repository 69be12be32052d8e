import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { launchOptions } from './browser.ts';
import type { Options } from './fixture.ts';
import { optimiseLate } from '../support/browser/late-optimisation.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const WEBGPU = 'webgpu.spec.ts';

/** Tests that threads matter to; and those of the package, a long file that one worker would end alone. */
const THREADS = [
  'deploy/*.spec.ts',
  'faults/*.spec.ts',
  'models/long.spec.ts',
  'models/worker-death.spec.ts',
  'package/*.spec.ts',
  'pages/explain.spec.ts',
  'pages/settings.spec.ts',
];

/** Set by Playwright once the server has said its address. */
const port = process.env.LIGHTWELL_PORT ?? '0';

/**
 * What moves is drawn sixty times a second, without a GPU by the processor, while a test waits for a model to start.
 * Playwright sets this for each page: a switch of the browser does not reach it.
 */
const STILL = { reducedMotion: 'reduce' } as const;

/** Brotli saves nothing between two programs of one computer, and is unpacked again for each page. */
const UNPACKED = { 'Accept-Encoding': 'identity' };

optimiseLate(); // engines of tests run in Playwright's own processes

export default defineConfig<Options>({
  testDir: '.',
  outputDir: `${ROOT}/test-results`,
  reporter: [['list']],
  workers: 2, // as many as there are cores; with three, tests ran into their time-outs
  timeout: 900_000, // ends a test that hangs; on a busy machine nothing else may meet it
  expect: { timeout: 300_000 },
  forbidOnly: process.env.CI === '1',
  use: {
    baseURL: `http://localhost:${port}`,
    screenshot: 'only-on-failure',
    contextOptions: STILL,
    extraHTTPHeaders: UNPACKED,
  },
  projects: [
    // First, because its tests are long: the other worker does the rest meanwhile.
    {
      name: 'webgpu',
      testMatch: WEBGPU,
      use: { backend: 'webgpu', launchOptions: await launchOptions({ webgpu: true }) },
    },
    // On all cores.
    {
      name: 'threads',
      testMatch: THREADS,
      use: { backend: 'wasm', launchOptions: await launchOptions({ webgpu: false }) },
    },
    // All others, a core for each worker.
    {
      name: 'wasm',
      testIgnore: [WEBGPU, ...THREADS],
      use: { backend: 'wasm', launchOptions: await launchOptions({ webgpu: false, cores: 'one' }) },
    },
  ],
  webServer: {
    command: 'node server/start.mjs --port 0 --no-open',
    cwd: ROOT,
    wait: { stdout: /http:\/\/localhost:(?<LIGHTWELL_PORT>\d+)/ },
    timeout: 600_000, // it builds first, if it must
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
