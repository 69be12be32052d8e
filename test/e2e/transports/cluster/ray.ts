import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Ray Serve of a test's own. */
export interface Ray {
  readonly url: string;
  /** Process ids of the replicas that answer now. */
  replicas(): Promise<ReadonlySet<number>>;
  stop(): Promise<void>;
}

/** Starting takes seconds; a machine without memory for it would else keep everybody waiting. */
const START_TRIES = 240;

/**
 * Starts the exported app with so many replicas.
 *
 * @throws {Error} with the end of what it printed
 */
export async function startRay(python: string, folder: string, replicas: number): Promise<Ray> {
  const temporary = await mkdtemp(join(tmpdir(), 'lw-ray-'));
  const port = await freePort();
  const environment = {
    RAY_USAGE_STATS_ENABLED: '0',
    RAY_TMPDIR: temporary,
    RAY_include_dashboard: '0',
    REPLICAS: String(replicas),
    THREADS: '1',
    PORT: String(port),
  };
  const app = spawn(python, [join(folder, 'ray/serve_app.py')], { env: { ...process.env, ...environment } });
  let printed = '';
  for (const stream of [app.stdout, app.stderr])
    stream.on('data', (chunk) => (printed = (printed + chunk).slice(-4000)));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await killMarked(`RAY_TMPDIR=${temporary}`);
    await rm(temporary, { recursive: true, force: true });
  };
  const serverOf = async () => (await (await fetch(`${url}/v2`)).json()) as { readonly pid: number };
  const isReady = async () => (await fetch(`${url}/v2/health/ready`).catch(() => undefined))?.ok === true;
  for (let tried = 0; !(await isReady()); tried++) {
    if (app.exitCode === null && tried < START_TRIES) await new Promise((resolve) => setTimeout(resolve, 500));
    else {
      await stop();
      throw new Error(`Ray did not start:\n${printed}`);
    }
  }
  return {
    url,
    async replicas() {
      const found = new Set<number>();
      for (let asked = 0; asked < 40; asked++) found.add((await serverOf()).pid);
      return found;
    },
    stop,
  };
}

/** A port of this machine that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Ends every process whose environment has the mark: Ray's outlive the one that started them, in groups of their own. */
async function killMarked(mark: string): Promise<void> {
  for (let round = 0; round < 20; round++) {
    let found = 0;
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
      if (!environment.split('\0').includes(mark)) continue;
      found += 1;
      try {
        process.kill(Number(name), 'SIGKILL');
      } catch {
        // it has ended by itself
      }
    }
    if (found === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
