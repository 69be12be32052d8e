import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { SITE } from '../../../server/site/static-files.ts';
import { test } from '../fixture.ts';

const START = fileURLToPath(new URL('../../../server/start.mjs', import.meta.url));

test.describe('the server', () => {
  test('isolates the page, so that WebAssembly gets threads', async ({ app, request }) => {
    expect((await request.get('/')).headers()).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    expect(await app.evaluate(() => crossOriginIsolated)).toBe(true);
  });

  test('lets a browser keep hashed files for good, and asks again for the page', async ({ request }) => {
    const hashed = readdirSync(join(SITE, 'assets')).filter((name) => !/\.(br|gz)$/.test(name));
    expect(hashed.length).toBeGreaterThan(0);
    for (const name of hashed) {
      const { 'cache-control': kept } = (await request.head(`/assets/${name}`)).headers();
      expect(kept, name).toBe('public, max-age=31536000, immutable');
    }

    const first = await request.get('/');
    const again = await request.get('/', { headers: { 'If-None-Match': first.headers().etag ?? '' } });
    expect([first.status(), first.headers()['cache-control'], again.status()]).toEqual([200, 'no-cache', 304]);
  });

  for (const path of ['/nothing', '/assets/', '/%2e%2e/package.json', '/..%2f..%2fpackage.json', '/%00', '/%zz']) {
    test(`has nothing at ${path}`, async ({ request }) => expect((await request.get(path)).status()).toBe(404));
  }

  test('sends what the build has compressed, and tells how much it holds', async ({ request }) => {
    for (const [accepted, path] of [
      ['br', '/'],
      ['gzip', '/models/lightwell-base/tokenizer.json'],
    ] as const) {
      const headersOf = async (encoding: string) =>
        (await request.head(path, { headers: { 'Accept-Encoding': encoding } })).headers();
      const [plain, packed] = [await headersOf('identity'), await headersOf(accepted)];
      expect(packed).toMatchObject({
        'content-encoding': accepted,
        vary: 'Accept-Encoding',
        'x-uncompressed-length': plain['content-length'],
        'content-type': plain['content-type'],
      });
      expect(plain['content-encoding']).toBeUndefined();
      expect(Number(packed['content-length'])).toBeLessThan(Number(plain['content-length']) / 2);
      expect(packed.etag).not.toBe(plain.etag);
    }
  });

  test('only reads', async ({ request }) => expect((await request.post('/')).status()).toBe(405));

  test('says so when its port is taken', ({ baseURL }) => {
    const { port } = new URL(baseURL ?? '');
    const environment = { ...process.env, PORT: port };
    const second = spawnSync(process.execPath, [START, '--no-open'], { env: environment, encoding: 'utf8' });
    expect([second.status, second.stderr]).toEqual([1, expect.stringContaining(`Port ${port} is taken`)]);
  });
});

test('an attempt to reach another origin is held back, and noticed', async ({ app: page, sharedPage: { seen } }) => {
  const outcome = await page.evaluate(() => fetch('https://example.org/').then(String, (error: Error) => error.name));
  expect(outcome).toBe('TypeError');
  expect(seen.foreignRequests.splice(0).join()).toContain('Content Security Policy');
});
