import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import sirv from 'sirv';
import { build } from 'vite';
import { runtimeFile } from '../../../src/protocol/page/runtime-builds.ts';
import { findChromium } from '../../support/browser/chromium.mjs';
import { npm, ROOT, test } from './packed.ts';

const MAX_LINES = 40;

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

/** What a module of the installed package exports, in Node. */
function exportsOf(folder: string, module: string): string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import('${module}'))))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** The address that a server prints. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  for await (const text of stdout ?? []) {
    const address = /http:\/\/localhost:\d+\//.exec(String(text))?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('the program ended without an address');
}

async function expectScores(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const result = page.locator('#result');
  await expect(result).toContainText('Luigi');
  const lines = (await result.innerText()).split('\n');
  expect(lines.pop()).toBe("The model answers: Luigi's");
  const scores = lines.map((line) => Number(line.trim().split(' ')[0]));
  expect(scores.length).toBeGreaterThan(8);
  expect(Math.max(...scores), 'the name in the prompt is what counts').toBeGreaterThan(1);
}

// All of the package in one file: each worker would pack it anew.
test('the packed package, installed in an empty folder, serves the page by npx lightwell', async ({
  page,
  backend,
  packed,
}) => {
  const app = packed.install();
  expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['lightwell']);
  expect(npm(app, 'exec', '--offline', '--', 'lightwell', '--version').trim()).toMatch(/^\d+\.\d+\.\d+$/);
  expect(npm(app, 'exec', '--offline', '--', 'lightwell', '--help')).toContain('Usage: lightwell');
  expect(exportsOf(app, 'lightwell/client')).toEqual(['createClient']);
  expect(exportsOf(app, 'lightwell/ask')).toContain('ask');
  expect(exportsOf(app, 'lightwell/faithfulness')).toEqual(['MeasurementError', 'OTHER_MODEL', 'measureFaithfulness']);
  expect(exportsOf(app, 'lightwell/heat-map'), 'in Node it defines nothing').toEqual(['HeatMapElement']);
  expect(exportsOf(app, 'lightwell/formats')).toEqual(['readScores']);
  expect(exportsOf(app, 'lightwell/prompt-api')).toEqual(['createLanguageModel']);
  expect(exportsOf(app, 'lightwell')).toEqual(['createService']);

  const args = ['exec', '--offline', '--', 'lightwell', '--port', '0', '--no-open'];
  const server = spawn('npm', args, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    const url = await addressOf(server);
    expect((await fetch(url)).headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    await page.goto(`${url}?backend=${backend}`);
    await page.waitForFunction(() => 'lightwell' in globalThis);
    const status = await page.evaluate(async () => {
      await lightwell.ready;
      const headers = { Authorization: `Bearer ${lightwell.token}` };
      return (await lightwell.fetch('/model-settings', { headers })).status;
    });
    expect(status).toBe(200);
    await expect.poll(async () => (await fetch(new URL('/api/model-settings', url))).status).toBe(401);
  } finally {
    if (server.pid !== undefined) process.kill(-server.pid); // npm and the program that it has started
  }
});

test('the packed package renders scores of a file by npx lightwell render', async ({ page, packed }) => {
  const app = packed.install();
  const { value } = JSON.parse(readFileSync(join(ROOT, 'test/support/figures/foreign/captum.json'), 'utf8'));
  writeFileSync(join(app, 'record.json'), JSON.stringify(value));
  for (const rendering of ['--html', '--svg']) {
    await page.setContent(npm(app, 'exec', '--offline', '--', 'lightwell', 'render', 'record.json', rendering));
    await expect(page.getByText('capital').first()).toBeVisible();
    await expect(page.locator('script')).toHaveCount(0);
  }
});

test('the packed package renders HTML that runs the element, and PNG', async ({ page, packed }) => {
  const app = packed.install();
  const prompt = 'Paris ist schön שלום\nمرحبا بالعالم\n<!--<script>';
  const scores = [{ start: 0, length: 5, score: 2 }, { start: 21, length: 5, score: -2 }]; // prettier-ignore
  const explanations = [' yes', '!'].map((target) => ({ target, items: [{ type: 'text', scores }] }));
  writeFileSync(
    join(app, 'record.json'),
    JSON.stringify({ request: { prompt, target: ' yes!' }, response: { explanations } }),
  );
  const args = ['lightwell', 'render', 'record.json'];
  const html = npm(app, 'exec', '--offline', '--', ...args, '--html', '--interactive');
  writeFileSync(join(app, 'record.html'), html);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(join(app, 'record.html')).href);
  const map = page.locator('lightwell-heat-map');
  await expect(map.locator('[part=text]')).toHaveText(prompt, { useInnerText: false });
  await map.getByLabel('Influence on').selectOption('0');
  await expect(map.locator('[data-section]').first()).toHaveAccessibleName('Paris, +2.00');
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('script'), { text: 'foreign = 1' })),
  );
  expect(await page.evaluate(() => 'foreign' in globalThis), 'the policy allows the element alone').toBe(false);
  expect(requests, 'nothing but the file').toHaveLength(1);

  const env = { ...process.env, CHROMIUM_PATH: await findChromium() };
  const { status, stdout, stderr } = spawnSync('npx', ['--offline', ...args, '--png'], { cwd: app, env });
  expect(status, String(stderr)).toBe(0);
  await page.goto('about:blank');
  const found = await page.evaluate(coloursOf, `data:image/png;base64,${stdout.toString('base64')}`);
  expect(found.width).toBe(1520);
  expect(found.ink, 'letters').toBeGreaterThan(2000);
  expect(found.arabic, 'and those of a line from right to left, at the right').toBeGreaterThan(300);
  expect(found.amber, 'what supports').toBeGreaterThan(1000);
});

/** Runs in the page: how many pixels of a heat map are dark, dark in the right third, and as amber as a whole score. */
async function coloursOf(source: string) {
  const image = Object.assign(new Image(), { src: source });
  await image.decode();
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(image, 0, 0);
  const { data = [] } = context?.getImageData(0, 0, width, height) ?? {};
  const found = { width, ink: 0, arabic: 0, amber: 0 };
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    const isDark = red + green + blue < 200;
    found.ink += Number(isDark);
    found.arabic += Number(isDark && (at / 4) % width > (2 * width) / 3);
    found.amber += Number(red === 0xfd && green === 0xb9 && blue === 0x4c);
  }
  return found;
}

test('the packed package answers without a page by npx lightwell serve', async ({ packed }) => {
  const app = packed.install();
  const args = ['exec', '--offline', '--', 'lightwell', 'serve', '--port', '0', '--workers', '1'];
  const token = '0f'.repeat(32);
  const env = { ...process.env, LIGHTWELL_TOKEN: token };
  const server = spawn('npm', args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    const url = await addressOf(server);
    const body = JSON.stringify({ model: 'lightwell-base', prompt: 'The answer is', completion_expected: ' yes' });
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(new URL('/api/evaluate', url), { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ result: { log_probability: expect.any(Number) } });
  } finally {
    if (server.pid !== undefined) process.kill(-server.pid); // npm and the program that it has started
  }
});

/** A script and all that it imports, at once or later, by name. */
function importedFrom(folder: string, script: string): ReadonlySet<string> {
  const found = new Set([script]);
  for (const name of found)
    for (const [, imported] of readFileSync(join(folder, name), 'utf8').matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g))
      if (imported !== undefined && existsSync(join(folder, imported))) found.add(imported);
  return found;
}

test.describe('the examples, with the packed package', () => {
  test('a plain page explains a prompt', async ({ packed, page }) => {
    const app = packed.installExample('page');
    expect(readFileSync(join(app, 'index.html'), 'utf8').split('\n').length).toBeLessThan(MAX_LINES);
    await served(app, (url) => expectScores(page, url));
  });

  test('workers and WebAssembly come from where the options say', async ({ packed, page }) => {
    const app = packed.installExample('page');
    const runtime = join(app, 'runtime');
    const assets = join(app, 'node_modules', 'lightwell', 'dist', 'assets');
    const worker = readdirSync(assets).find((name) => /^inference\.worker-.*\.js$/.test(name)) ?? '';
    mkdirSync(runtime);
    for (const name of importedFrom(assets, worker)) copyFileSync(join(assets, name), join(runtime, name));
    const names = (['jspi', 'asyncify'] as const).flatMap((each) => [
      runtimeFile(each, 'mjs'),
      runtimeFile(each, 'wasm'),
    ]);
    for (const name of names)
      copyFileSync(join(ROOT, 'node_modules', 'onnxruntime-web', 'dist', name), join(runtime, name));
    const options = `workers: { inference: './runtime/${worker}' }, wasmUrl: './runtime/',`;
    const html = readFileSync(join(app, 'index.html'), 'utf8');
    writeFileSync(join(app, 'index.html'), html.replace('createService({', `createService({ ${options}`));
    // What is left beside the library could be taken unnoticed.
    for (const name of readdirSync(assets)) if (/\.worker-|ort-wasm/.test(name)) rmSync(join(assets, name));
    await served(app, (url) => expectScores(page, url));
  });

  test('a Vite app compiles against the package’s types, builds and explains a prompt', async ({ packed, page }) => {
    const app = packed.installExample('vite-app');
    expect(readFileSync(join(app, 'main.ts'), 'utf8').split('\n').length).toBeLessThan(MAX_LINES);
    for (const tool of ['vite', 'typescript'])
      symlinkSync(join(ROOT, 'node_modules', tool), join(app, 'node_modules', tool));
    expect(problemsIn(app, 'main.ts')).toBe('');
    writeFileSync(join(app, 'wrong.ts'), readFileSync(join(app, 'main.ts'), 'utf8').replace('model:', 'aim:'));
    expect(problemsIn(app, 'wrong.ts')).toContain("'aim' does not exist in type");
    await build({ root: app, logLevel: 'error' });
    await served(join(app, 'dist'), (url) => expectScores(page, url));
  });
});
