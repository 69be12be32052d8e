import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { SITE } from '../../../server/site/static-files.ts';
import { PAGE_HEADERS } from '../../../src/protocol/page/headers.ts';
import { explain, scoresOf } from '../calls.ts';
import { plain } from '../fixture.ts';
import { ROOT } from '../package/packed.ts';
import { documentsOf, onHost, started, type Host } from './hosts.ts';

const CONFIGURATION = join(ROOT, 'docs/deploy/nginx.conf');

/** Debian puts it where only root looks. */
const NGINX = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** nginx with the shipped configuration, but for the site and the port. */
async function nginxHost(): Promise<Host> {
  if (NGINX === undefined) throw new Error('expected nginx on this machine; the test should have been skipped');
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-nginx-'));
  const port = await freePort();
  const configuration = readFileSync(CONFIGURATION, 'utf8')
    .replace('/srv/lightwell', SITE)
    .replace('listen 8080', `listen 127.0.0.1:${port}`);
  const path = join(folder, 'nginx.conf');
  writeFileSync(path, configuration);
  // The user that nginx would become has no right to a folder of root's.
  const asRoot = process.getuid?.() === 0 ? ' user root;' : '';
  const child = spawn(NGINX, ['-p', folder, '-c', path, '-g', `daemon off;${asRoot}`], { stdio: 'inherit' });
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://localhost:${port}/`;
  await answering(url, child);
  return { url, close };
}

/** Waits until the server answers; what it says when it cannot start, it has printed. */
async function answering(url: string, child: ChildProcess): Promise<void> {
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await setTimeout(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return address.port;
}

const test = onHost(nginxHost);

test.describe('nginx with the shipped configuration', () => {
  test.skip(NGINX === undefined, 'nginx is not on this machine');

  test('serves a page that explains, with the headers of our own server', async ({ page, host, request }) => {
    const documents = documentsOf(page);
    const response = await page.goto('./?backend=wasm');
    expect(response?.headers()).toMatchObject(
      Object.fromEntries(Object.entries(PAGE_HEADERS).map(([name, value]) => [name.toLowerCase(), value])),
    );
    await started(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const { status, body } = await explain(page, 'An apple a day keeps the doctor', ' away');
    expect(status).toBe(200);
    expect(scoresOf(body)[0]?.length).toBeGreaterThan(3);
    expect(documents).toEqual(['/']);
    const script = await request.get(`${host.url}service-worker.js`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(script.headers()).toMatchObject({ 'content-encoding': 'gzip', 'content-type': /^text\/javascript/ });
  });
});

plain('nginx finds nothing wrong with the shipped configuration', () => {
  plain.skip(NGINX === undefined, 'nginx is not on this machine');
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-nginx-'));
  const { status, stderr } = spawnSync(NGINX ?? '', ['-t', '-p', folder, '-c', CONFIGURATION], { encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  expect(status, stderr).toBe(0);
  expect(stderr).not.toContain('[warn]');
});
