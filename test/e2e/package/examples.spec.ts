import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import sirv from 'sirv';
import { build } from 'vite';
import { ROOT, test } from './packed.ts';

const MOST_LINES = 40;

/** Serves a folder as any static host does, without isolation headers, while `use` runs. */
async function served(folder: string, use: (url: string) => Promise<void>): Promise<void> {
  const files = sirv(folder, { dev: true });
  const server = createServer((request, response) => files(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://localhost:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** What the compiler says of a file, strictly checked, declarations included. */
function problemsIn(folder: string, file: string): string {
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  return spawnSync(tsc, [...options, '--types', '', file], { cwd: folder, encoding: 'utf8' }).stdout;
}

async function expectScores(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const result = page.locator('#result');
  await expect(result).toContainText('Luigi');
  const scores = (await result.innerText()).split('\n').map((line) => Number(line.trim().split(' ')[0]));
  expect(scores.length).toBeGreaterThan(8);
  expect(Math.max(...scores), 'the name in the prompt is what counts').toBeGreaterThan(1);
}

test.describe('the examples, with the packed package', () => {
  test('a plain page explains a prompt', async ({ packed, page }) => {
    const app = packed.installExample('page');
    expect(readFileSync(join(app, 'index.html'), 'utf8').split('\n').length).toBeLessThan(MOST_LINES);
    await served(app, (url) => expectScores(page, url));
  });

  test('workers and WebAssembly come from where the options say', async ({ packed, page }) => {
    const app = packed.installExample('page');
    const runtime = join(app, 'runtime');
    const assets = join(app, 'node_modules', 'lightwell', 'dist', 'assets');
    const worker = readdirSync(assets).find((name) => /^inference\.worker-.*\.js$/.test(name)) ?? '';
    mkdirSync(runtime);
    copyFileSync(join(assets, worker), join(runtime, 'inference.js'));
    for (const ending of ['mjs', 'wasm']) {
      const name = `ort-wasm-simd-threaded.asyncify.${ending}`;
      copyFileSync(join(ROOT, 'node_modules', 'onnxruntime-web', 'dist', name), join(runtime, name));
    }
    const options = "workers: { inference: './runtime/inference.js' }, wasmUrl: './runtime/',";
    const html = readFileSync(join(app, 'index.html'), 'utf8');
    writeFileSync(join(app, 'index.html'), html.replace('createService({', `createService({ ${options}`));
    // What is left beside the library could be taken unnoticed.
    for (const name of readdirSync(assets)) if (/worker|ort-wasm/.test(name)) rmSync(join(assets, name));
    await served(app, (url) => expectScores(page, url));
  });

  test('a Vite app compiles against the package’s types, builds and explains a prompt', async ({ packed, page }) => {
    const app = packed.installExample('vite-app');
    expect(readFileSync(join(app, 'main.ts'), 'utf8').split('\n').length).toBeLessThan(MOST_LINES);
    for (const tool of ['vite', 'typescript'])
      symlinkSync(join(ROOT, 'node_modules', tool), join(app, 'node_modules', tool));
    expect(problemsIn(app, 'main.ts')).toBe('');
    writeFileSync(join(app, 'wrong.ts'), readFileSync(join(app, 'main.ts'), 'utf8').replace('target:', 'aim:'));
    expect(problemsIn(app, 'wrong.ts')).toContain("'aim' does not exist in type");
    await build({ root: app, logLevel: 'error' });
    await served(join(app, 'dist'), (url) => expectScores(page, url));
  });
});
