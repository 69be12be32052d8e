import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { plain as test } from './fixture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs npm and returns what it printed; its failure is the test's. */
function npm(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The address that a server prints. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  for await (const text of stdout ?? []) {
    const address = /http:\/\/localhost:\d+\//.exec(String(text))?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('the program ended without an address');
}

test('the packed package, installed in an empty folder, serves the page by npx lightwell', async ({
  page,
  backend,
}) => {
  test.setTimeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-package-'));
  let server: ChildProcess | undefined;
  try {
    npm(ROOT, 'pack', '--pack-destination', folder);
    const [tarball = ''] = readdirSync(folder);
    const app = join(folder, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{ "private": true }');
    npm(app, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--offline', `../${tarball}`);
    expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['lightwell']);
    expect(npm(app, 'exec', '--offline', '--', 'lightwell', '--version').trim()).toMatch(/^\d+\.\d+\.\d+$/);

    const args = ['exec', '--offline', '--', 'lightwell', '--port', '0', '--no-open'];
    server = spawn('npm', args, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
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
    if (server?.pid !== undefined) process.kill(-server.pid); // npm and the program that it has started
    rmSync(folder, { recursive: true, force: true });
  }
});
