import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { launchOptions } from '../../browser.ts';

/** `npm test -- cluster`; not part of the other browser tests, because it needs Python. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.check.ts',
  outputDir: fileURLToPath(new URL('../../../../test-results/cluster', import.meta.url)),
  reporter: [['list']],
  workers: 1,
  timeout: 1_200_000, // ends a test that hangs, and then Ray; on a busy machine nothing else may meet it
  use: { launchOptions: await launchOptions({ webgpu: false }) },
});
