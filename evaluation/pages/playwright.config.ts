import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import type { Options } from '../../test/e2e/fixture.ts';
import { FOLDERS } from '../models/real-models.ts';
import { findChromium, QUIET_SWITCHES } from '../../test/support/browser/chromium.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Set by Playwright once the server has said its address. */
const port = process.env.LIGHTWELL_PORT ?? '0';

const executablePath = await findChromium();
/** Nothing that makes the page slower or faster than it is for a visitor. */
const launchOptions = {
  args: QUIET_SWITCHES,
  ...(executablePath !== undefined && { executablePath }),
};

/** Measures pages as their visitors use them: the built app in Chromium, on WebAssembly. */
export default defineConfig<Options>({
  testDir: '.',
  testMatch: '*.measure.ts',
  outputDir: `${ROOT}/test-results/measures`,
  reporter: [['line']],
  workers: 1,
  timeout: 14_400_000, // ends what hangs; 120 prompts of a large model take more than an hour
  expect: { timeout: 300_000 },
  use: { baseURL: `http://localhost:${port}`, backend: 'wasm', launchOptions },
  webServer: {
    command: `node server/start.mjs --port 0 --no-open${existsSync(FOLDERS) ? ` --models "${FOLDERS}"` : ''}`,
    cwd: ROOT,
    wait: { stdout: /http:\/\/localhost:(?<LIGHTWELL_PORT>\d+)/ },
    timeout: 600_000, // it builds first, if it must
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
