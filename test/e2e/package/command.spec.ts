import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { npm, test } from './packed.ts';

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
  packed,
}) => {
  const app = packed.install();
  expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['lightwell']);
  expect(npm(app, 'exec', '--offline', '--', 'lightwell', '--version').trim()).toMatch(/^\d+\.\d+\.\d+$/);

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
