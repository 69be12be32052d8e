import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SITE } from '../../../server/site/static-files.ts';
import { test as base } from '../fixture.ts';

/** The folder below a host's root that the page lies in. */
export const BELOW = '/tools/lightwell/';

/** Python, by the name that this machine knows; undefined where there is none. */
export const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Hosts that are not our own server. What they serve and start is gone after the test. */
export interface Hosts {
  /** Python's file server over a folder in which the build lies in `BELOW`; returns the page's address. */
  python(): Promise<string>;
  /** Any server; returns its address, without a path. */
  node(listener: RequestListener): Promise<string>;
}

/** Tests of the built page on hosts that know nothing of it. */
export const test = base.extend<{ readonly hosts: Hosts }>({
  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  hosts: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'lightwell-deploy-'));
    const children: ChildProcess[] = [];
    const servers: Server[] = [];
    await use({
      async python() {
        cpSync(SITE, join(folder, BELOW), { recursive: true });
        const child = startPython(folder);
        children.push(child);
        return `http://localhost:${await portOf(child)}${BELOW}`;
      },
      async node(listener) {
        const server = createServer(listener).listen(0, '127.0.0.1');
        servers.push(server);
        await once(server, 'listening');
        const address = server.address();
        if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
        return `http://localhost:${address.port}`;
      },
    });
    for (const child of children) child.kill();
    for (const server of servers) server.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  },
});

function startPython(folder: string): ChildProcess {
  if (PYTHON === undefined) throw new Error('expected Python on this machine; the test should have been skipped');
  const listen = ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder];
  return spawn(PYTHON, listen, { stdio: ['ignore', 'pipe', 'ignore'] });
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
