import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { SITE } from '../../../server/site/static-files.ts';
import { test as base } from '../fixture.ts';

/** The folder below the root of Python's server that the page lies in. */
export const BELOW = '/tools/lightwell/';

/** Python, by the name that this machine knows; undefined where there is none. */
export const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

/** A server that is not ours. */
export interface Host {
  /** The page's folder, ending in a slash. */
  readonly url: string;
  close(): void;
}

/** Tests of the built page on a host of their own. Nothing may leave its origin. */
export function onHost<Opened extends Host>(open: () => Promise<Opened>) {
  return base.extend<{ readonly host: Opened }>({
    // Playwright wants the pattern even where nothing is taken from it.
    // oxlint-disable-next-line no-empty-pattern
    host: async ({}, use) => {
      const host = await open();
      await use(host);
      host.close();
    },
    baseURL: ({ host }, use) => use(host.url),
  });
}

/** Python's file server over a folder in which the build lies in `BELOW`. */
export async function pythonHost(): Promise<Host> {
  if (PYTHON === undefined) throw new Error('expected Python on this machine; the test should have been skipped');
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-deploy-'));
  cpSync(SITE, join(folder, BELOW), { recursive: true });
  const listen = ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder];
  const child = spawn(PYTHON, listen, { stdio: ['ignore', 'pipe', 'ignore'] });
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `http://localhost:${await portOf(child)}${BELOW}`, close };
}

/** Any listener, at the root. */
export async function nodeHost(listener: RequestListener): Promise<Host> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return { url: `http://localhost:${address.port}/`, close: () => server.close().closeAllConnections() };
}

/** Paths of the documents that a page loads from now on: the first, and each reload. */
export function documentsOf(page: Page): string[] {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  return documents;
}

/** Waits until the app has started and its model can answer, through whatever reloads. */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
}

/** Python says `Serving HTTP on 127.0.0.1 port 40123 …` once it listens. */
async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('expected a pipe from Python');
  for await (const line of createInterface({ input: stdout })) {
    const port = /port (\d+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('Python ended before it said its port');
}
