import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { findChromium } from './support/chromium.mjs';
import { ISOLATION_HEADERS } from '../server/policy.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Networks and weights that this project did not make; tests on them are skipped, with the reason, where they are absent. */
const dataFolder = resolve(root, process.env['LIGHTWELL_DATA'] ?? '../shared/data');
const data = existsSync(dataFolder) ? realpathSync(dataFolder) : null;

const GOLDEN = {
  include: ['test/golden/**/*.test.ts'],
  globalSetup: ['test/support/onnx/hub.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

const SWITCHES = [
  ...['--no-sandbox', '--enable-unsafe-webgpu', '--disable-background-networking', '--disable-component-update'],
  ...['--disable-sync', '--disable-quic'],
];

/** The golden tests in Chromium, on one backend. Software WebGPU is some fifty times slower than WASM. */
function goldenInBrowser(backend: 'wasm' | 'webgpu', executablePath: string | undefined): TestProjectConfiguration {
  const launchOptions = { args: SWITCHES, ...(executablePath ? { executablePath } : {}) };
  return {
    optimizeDeps: { exclude: ['onnxruntime-web'] },
    server: { headers: ISOLATION_HEADERS, fs: { allow: [root, ...(data ? [data] : [])] } },
    test: {
      ...GOLDEN,
      // Judgements of the models, not of the engine: Node is enough.
      exclude: ['test/golden/embedded/context-prompts.test.ts', 'test/golden/embedded/embedded-reader.test.ts'],
      name: `golden-${backend}`,
      provide: { place: { backend, browser: true, root, data } },
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

function projects(chromium: string | undefined): TestProjectConfiguration[] {
  return [
    {
      test: {
        name: 'unit',
        environment: 'node',
        include: ['test/unit/**/*.test.ts', 'test/conformance/**/*.test.ts', 'test/architecture/**/*.test.ts'],
      },
    },
    {
      test: {
        ...GOLDEN,
        name: 'golden-node',
        environment: 'node',
        provide: { place: { backend: 'wasm', browser: false, root, data } },
      },
    },
    goldenInBrowser('wasm', chromium),
    goldenInBrowser('webgpu', chromium),
  ];
}

export default defineConfig(async () => ({ test: { projects: projects(await findChromium()) } }));
