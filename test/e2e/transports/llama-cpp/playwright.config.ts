import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { launchOptions } from '../../browser.ts';

/** `npm test -- llama`; not part of the other browser tests, because it needs a C++ compiler and PyPI. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.check.ts',
  outputDir: fileURLToPath(new URL('../../../../test-results/llama-cpp', import.meta.url)),
  reporter: [['list']],
  workers: 1,
  timeout: 1_200_000, // ends what hangs
  use: { launchOptions: await launchOptions({ webgpu: false }) },
});
