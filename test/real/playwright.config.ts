import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { launchOptions } from '../e2e/browser.ts';
import type { Options } from '../e2e/fixture.ts';
import { CACHE } from './references.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Set by Playwright once the server has said its address. */
const port = process.env.LIGHTWELL_PORT ?? '0';

/** `npm test -- real`, which makes what these checks need. */
export default defineConfig<Options>({
  testDir: '.',
  testMatch: '*.check.ts',
  outputDir: `${ROOT}/test-results/real`,
  reporter: [['list']],
  workers: 1,
  timeout: 3_600_000, // ends what hangs
  use: { baseURL: `http://localhost:${port}`, backend: 'wasm', launchOptions: await launchOptions({ webgpu: false }) },
  webServer: {
    command: `node server/start.mjs --port 0 --no-open --models "${CACHE}/folders"`,
    cwd: ROOT,
    wait: { stdout: /http:\/\/localhost:(?<LIGHTWELL_PORT>\d+)/ },
    timeout: 600_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
