// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBridge, isApi } from './bridge/bridge.mjs';
import { ANNOUNCEMENT } from './bridge/line.mjs';
import { DIST, buildPage } from './setup/build.mjs';
import { giveUp, isMain } from './setup/project.mjs';
import { staticFiles } from './static-files.mjs';

const HOST = '127.0.0.1'; // this machine only: what a page computes is nobody else's business
const DEFAULT_PORT = 4173;

/**
 * Serve the built page on this machine, and the contract under `/api` while a tab of it is open.
 *
 * @param {{ root?: string, port?: number, limits?: Omit<Parameters<typeof createBridge>[0], 'pageUrl'> }} [options]  port 0 takes any free one
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}  once it can be opened
 */
export async function serve({ root = DIST, port = portFromEnvironment(), limits = {} } = {}) {
  let url = '';
  const files = staticFiles(root);
  const bridge = createBridge({ ...limits, pageUrl: () => url });
  const server = createServer((request, response) => {
    if (isApi(request.url ?? '')) return bridge.answer(request, response);
    response.setHeader('Server-Timing', ANNOUNCEMENT);
    files(request, response);
  });
  server.on('upgrade', bridge.upgrade);
  server.listen(port, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  url = `http://localhost:${address.port}/`;
  const close = () => {
    bridge.close();
    return closed(server);
  };
  return { url, close };
}

/** The port asked for by the environment variable PORT, else 4173. */
function portFromEnvironment() {
  const text = process.env.PORT;
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) giveUp(`PORT: expected 0 to 65535, got "${text}"`);
  return port;
}

/** @param {import('node:http').Server} server */
function closed(server) {
  server.closeAllConnections();
  return /** @type {Promise<void>} */ (new Promise((resolve) => server.close(() => resolve())));
}

/** Serve until Ctrl-C; a port in use is said plainly. */
export async function serveUntilStopped() {
  try {
    const { url, close } = await serve();
    console.log(`Lightwell: ${url}  (Ctrl-C stops it)`);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => close().then(() => process.exit(0)));
    return url;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    giveUp(`Port ${portFromEnvironment()} is taken. Stop what runs there, or choose another: PORT=4180 npm start`);
  }
}

if (isMain(import.meta.url)) {
  buildPage();
  await serveUntilStopped();
}
