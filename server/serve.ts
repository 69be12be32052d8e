import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { BRIDGE_ANNOUNCEMENT } from '../src/protocol/frames/frames.ts';
import { LOCAL_MODELS_ANNOUNCEMENT } from '../src/contract/wire/engine.ts';
import { type BridgeServerLimits, createBridgeServer, isApi } from './bridge/bridge-server.ts';
import type { EngineConfig, UpstreamConfig } from './options.ts';
import { createEngineProxy, isForEngine } from './engine/engine-proxy.ts';
import { isLoopback, refuseRequest, urlOf } from './origins.ts';
import { isLocalModel, modelFiles } from './model-files.ts';
import { SITE, staticFiles } from './site/static-files.ts';

/** A server that can be opened. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A client on this machine sends the head of a request at once; one that sends it byte by byte is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Far more than browsers and notebooks of one person open, and fewer than a process may have files. */
const MAX_CONNECTIONS = 512;

/** A request for another host. @source RFC 9110, section 15.5.20 */
const MISDIRECTED = 421;

interface ServerOptions {
  /** Absolute path of a built page; default: the one of this package. */
  readonly root?: string;
  /** 0: any free one. */
  readonly port: number;
  /** Loopback only: no other machine may use the page. */
  readonly host?: string;
  /** Absolute path of a folder; models in the hub's layout below it are served too. */
  readonly models?: string | undefined;
  /** An engine elsewhere that the page may let models run on. */
  readonly engine?: EngineConfig | undefined;
  /** A server elsewhere whose models the page may explain. */
  readonly upstream?: UpstreamConfig | undefined;
  readonly limits?: Partial<BridgeServerLimits>;
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs?: number;
}

/**
 * Serves the built page on this machine, and the contract under `/api` and `/v1` while a tab of it is open.
 *
 * @throws {RangeError} for a host that other machines can reach
 * @throws {Error} with the `code` of the system call, such as `EADDRINUSE`, when the address cannot be listened on
 */
export async function startServer({
  root = SITE,
  port,
  host = '127.0.0.1',
  models,
  engine,
  upstream,
  limits = {},
  headersTimeoutMs = HEADERS_TIMEOUT_MS,
}: ServerOptions): Promise<RunningServer> {
  if (!isLoopback(host)) throw new RangeError(`host: expected a loopback address, got "${host}"`);
  let url = '';
  const files = staticFiles(root);
  const ownModels = models === undefined ? undefined : modelFiles(models);
  const announced = [BRIDGE_ANNOUNCEMENT, ...(ownModels ? [LOCAL_MODELS_ANNOUNCEMENT] : [])].join(', ');
  const bridge = createBridgeServer({ ...limits, pageUrl: () => url });
  const toEngine = createEngineProxy({ engine, upstream, isAuthorized: bridge.isAuthorized });
  const listener: RequestListener = (request, response) => {
    if (!toOriginForm(request))
      return refuseRequest(response, MISDIRECTED, 'This server answers for this machine only');
    if (isForEngine(request.url ?? '')) return toEngine(request, response);
    if (isApi(request.url ?? '')) return bridge.answer(request, response);
    if (ownModels && isLocalModel(request.url ?? '')) return ownModels(request, response);
    response.setHeader('Server-Timing', announced);
    files(request, response);
  };
  const server = createBoundedServer(listener, headersTimeoutMs);
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket')
      return serveWithoutUpgrade(server, request, socket, head);
    toOriginForm(request);
    bridge.upgrade(request, socket, head);
  });
  url = await listenOn(server, { port, host });
  return { url, close: () => closeServer(server, bridge.close) };
}

/** A server that cuts off clients which send the head of a request too slowly, and has a bounded number of connections. */
export function createBoundedServer(listener: RequestListener, headersTimeoutMs = HEADERS_TIMEOUT_MS): Server {
  const limits = { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: headersTimeoutMs / 5 };
  const server = createServer(limits, listener);
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** Listens. @returns the address for a browser @throws {Error} with the `code` of the system call (`EADDRINUSE`) */
export async function listenOn(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return urlOf(host, address.port);
}

/** Ends all connections. @param release  called first */
export function closeServer(server: Server, release: () => void): Promise<void> {
  release();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/**
 * Gives a request the target that all others have, a path, where it names the whole address, as clients do that send to a
 * proxy.
 *
 * @returns false for the address of another host, which is not served here
 * @source RFC 9112, section 3.2.2
 */
export function toOriginForm(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (url.startsWith('/') || !/^https?:\/\//i.test(url)) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || !isLoopback(hostname)) return false;
  // As it was sent: `URL` would write it in another way.
  const target = url.replace(/^http:\/\/[^/?#]*/i, '');
  request.url = target.startsWith('/') ? target : `/${target}`;
  return true;
}

/** Fields that offer another protocol. @source RFC 9110, section 7.8; RFC 7540, section 3.2.1 */
const OFFER = /^(upgrade|http2-settings)$/i;

/**
 * Answers a request as if it had not offered another protocol, such as HTTP/2 (`Upgrade: h2c`): a server may ignore the offer.
 * Node takes the connection from its parser as soon as anybody listens for WebSockets, so it gets the request once more,
 * without the offer.
 */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() === 'connection') lines.push(`${name}: ${withoutOffer(value)}`);
    else if (!OFFER.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]));
  server.emit('connection', socket);
}

function withoutOffer(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !OFFER.test(option)).join(', ') || 'keep-alive';
}
