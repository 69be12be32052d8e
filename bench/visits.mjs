// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { provideChromium, QUIET_SWITCHES } from '../test/support/browser/chromium.mjs';
import { ROOT, giveUp } from '../server/setup/dependencies.mjs';

/**
 * Measures the bytes of a first and of a second visit, until the page's model is ready and nothing more is fetched, and
 * prints them. They are counted in a relay between browser and server, so headers, workers and prefetches are among them.
 * `npm run bench -- visits` measures this checkout, `npm run bench -- visits FILE` another one's server, which must print
 * its address and take its port from the variable PORT.
 */
const [program = join(ROOT, 'server/start.mjs')] = process.argv.slice(2);

const QUIET_MS = 5_000;

const profile = mkdtempSync(join(tmpdir(), 'lightwell-visits-'));
const server = spawn(process.execPath, [program], {
  env: { ...process.env, PORT: '0', CI: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  console.table(await visits(await openRelay(await portOf(server))));
} finally {
  server.kill();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 }); // a browser that is closing still writes into it
}

/**
 * @param {Awaited<ReturnType<typeof openRelay>>} relay
 * @returns {Promise<object[]>}
 */
async function visits(relay) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await provideChromium(),
    args: QUIET_SWITCHES,
  });
  try {
    const page = await context.newPage();
    const first = await measured('first', relay, page, () => page.goto(relay.url));
    return [first, await measured('second', relay, page, () => page.reload())];
  } finally {
    await context.close();
    relay.close();
  }
}

/**
 * @param {string} visit
 * @param {Awaited<ReturnType<typeof openRelay>>} relay
 * @param {import('playwright').Page} page
 * @param {() => Promise<unknown>} go
 */
async function measured(visit, relay, page, go) {
  const before = relay.received();
  const startedMs = performance.now();
  await go();
  await page.waitForFunction(() => 'lightwell' in globalThis); // as text it would be refused by the page's policy
  await page.evaluate(() => Reflect.get(globalThis, 'lightwell').ready.then(() => undefined));
  const readySeconds = Number(((performance.now() - startedMs) / 1000).toFixed(1));
  await relay.quiet();
  return { visit, MB: Number(((relay.received() - before) / 1e6).toFixed(3)), readySeconds };
}

/**
 * The port that a server says it listens on.
 *
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} child
 * @returns {Promise<number>}
 */
async function portOf(child) {
  for await (const text of child.stdout) {
    const port = /http:\/\/localhost:(\d+)/.exec(String(text))?.[1];
    if (port !== undefined) return Number(port);
  }
  return giveUp(`${program} ended without an address`);
}

/**
 * Passes bytes on between any number of connections and a port of this machine, and counts those that come back.
 *
 * @param {number} port
 */
async function openRelay(port) {
  let received = 0;
  let lastMs = performance.now();
  const sockets = /** @type {Set<import('node:net').Socket>} */ (new Set());
  const relay = createServer((inner) => {
    const outer = connect(port, '127.0.0.1');
    for (const [from, to] of /** @type {const} */ ([
      [inner, outer],
      [outer, inner],
    ])) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
    outer.on('data', ({ length }) => {
      received += length;
      lastMs = performance.now();
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (relay.address());
  return {
    url: `http://localhost:${address.port}/`,
    received: () => received,
    /** Settles when nothing has come for a while: what is prefetched comes behind what is asked for. */
    async quiet() {
      lastMs = performance.now(); // what came last may lie long behind: a model was compiled meanwhile
      while (performance.now() - lastMs < QUIET_MS) await new Promise((resolve) => setTimeout(resolve, 100));
    },
    close() {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
