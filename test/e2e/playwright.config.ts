import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { launchOptions } from './browser.ts';
import type { Options } from './fixture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Set by Playwright once the server has said its address. */
const port = process.env.LIGHTWELL_PORT ?? '0';

export default defineConfig<Options>({
  testDir: '.',
  outputDir: `${ROOT}/test-results`,
  reporter: [['list']],
  workers: 2, // much of a test is waiting for a page; nothing here reads a clock
  timeout: 900_000, // ends a test that hangs; on a busy machine nothing else may meet it
  expect: { timeout: 300_000 },
  forbidOnly: process.env.CI === '1',
  use: { baseURL: `http://localhost:${port}`, screenshot: 'only-on-failure' },
  projects: [
    // First, because its one test is the longest: the other worker does the rest meanwhile.
    {
      name: 'webgpu',
      testMatch: 'webgpu.spec.ts',
      use: { backend: 'webgpu', launchOptions: await launchOptions({ webgpu: true }) },
    },
    {
      name: 'wasm',
      testIgnore: 'webgpu.spec.ts',
      use: { backend: 'wasm', launchOptions: await launchOptions({ webgpu: false }) },
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
