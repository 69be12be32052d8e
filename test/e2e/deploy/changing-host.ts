import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SITE, staticFiles } from '../../../server/site/static-files.ts';
import { listSiteFiles } from '../../../server/vite/build-plugins.ts';
import type { Host } from './hosts.ts';

/** A host of a copy of the build, which can be stopped, started again at its address, and given another build. */
export interface ChangingHost extends Host {
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The page, and a script that keeps its name, get `SECOND_BUILD` at their ends. */
  buildAgain(): Promise<void>;
}

/** What the files of the second build hold. */
export const SECOND_BUILD = 'the second build';

/** Runs from the start. */
export async function openChangingHost(): Promise<ChangingHost> {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-changing-'));
  cpSync(SITE, folder, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  let server: Server | null = null;
  let port = 0;
  const start = async () => {
    server = createServer(staticFiles(folder)).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
    port = address.port;
  };
  const stop = async () => {
    const stopping = server;
    if (!stopping) return;
    server = null;
    const stopped = once(stopping, 'close');
    stopping.close();
    stopping.closeAllConnections();
    await stopped;
  };
  await start();
  return {
    url: `http://localhost:${port}/`,
    start,
    stop,
    async buildAgain() {
      appendFileSync(join(folder, 'index.html'), `<!-- ${SECOND_BUILD} -->`);
      appendFileSync(join(folder, 'lightwell.js'), `\n// ${SECOND_BUILD}`);
      await listSiteFiles(folder);
    },
    close() {
      void stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
