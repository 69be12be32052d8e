import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from '../../src/contract/failure.ts';
import { PASSED_HEADERS } from '../../src/protocol/line.ts';
import { createBodyReader } from './body.ts';
import { foreignOrigin, isPreflight, namesThisMachine, preflightHeaders, readableBy } from './origins.ts';
import { refuse } from './reply.ts';
import { route } from './route.ts';
import { createTabs, type Tabs } from './tabs.ts';

const LIMITS = {
  /** A tab says at once that it has a request; one that does not is frozen, or stuck in something long. */
  acceptMs: 10_000,
  /** What the way may add to the tab's own time-out; the contract's clients wait 5 s longer than that. */
  marginMs: 3_000,
  /** A file of 64 MiB, the largest that the contract reads, is a third longer in base64. */
  maxBodyBytes: 128 * 1024 * 1024,
  /** Of all requests together. */
  maxHeldBytes: 256 * 1024 * 1024,
  /** Of a streamed answer whose reader does not read. */
  maxBacklogBytes: 32 * 1024 * 1024,
};

/** The bounds of time and memory that a bridge keeps; tests choose smaller ones. */
export type BridgeLimits = typeof LIMITS;

/** The server's end of the bridge. */
export interface Bridge {
  /** Takes the server's requests to become a WebSocket. */
  readonly upgrade: Tabs['upgrade'];
  /** Settles `response` in any case. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Whether a URL belongs to the bridge. */
export function isApi(url: string): boolean {
  return /^\/api([/?]|$)/.test(url);
}

/**
 * The contract over HTTP: a request to `/api/…` travels to an open tab, is run there by the page's router, and its answer
 * travels back. The server knows no token, keeps nothing, and answers by itself only that the way is barred.
 *
 * @param options  `pageUrl`: what to open in a browser
 */
export function createBridge({
  pageUrl,
  ...limits
}: Partial<BridgeLimits> & { readonly pageUrl: () => string }): Bridge {
  const settings = { ...LIMITS, ...limits };
  const tabs = createTabs();
  const readBody = createBodyReader(settings);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const origin = foreignOrigin(request);
    const barred = barrierTo(request, origin, tabs);
    if (barred) return refuse(response, barred);
    if (origin !== undefined && isPreflight(request))
      return void response.writeHead(204, preflightHeaders(origin)).end();
    response.setHeaders(new Map(Object.entries(readableBy(origin))));
    const read = await readBody(request);
    if (!read.ok) return refuse(response, read.failure);
    const body = method === 'GET' || method === 'HEAD' ? null : read.value.text;
    const asked = { method, path: url, headers: passedHeaders(request), body };
    const way = { tabsInOrder: () => tabs.inOrder(origin), patience: settings, pageUrl: pageUrl() };
    await route(asked, response, way).finally(read.value.release);
  }

  return {
    upgrade: tabs.upgrade,
    answer(request, response) {
      handle(request, response).catch((error: unknown) => {
        if (response.destroyed) return; // the client left while its body was read
        console.error(error);
        refuse(response, { code: 'INTERNAL', message: String(error) });
      });
    },
    close: tabs.close,
  };
}

function barrierTo(request: IncomingMessage, origin: string | undefined, tabs: Tabs): Failure | undefined {
  const { method = '', headers } = request;
  if (!namesThisMachine(request))
    return { code: 'FORBIDDEN_ORIGIN', message: `Host: expected localhost or 127.0.0.1, got "${headers.host ?? ''}"` };
  if (origin !== undefined && tabs.inOrder(origin).length === 0) {
    const message = `Origin: expected one that an open tab's settings allow, got "${origin}"`;
    return { code: 'FORBIDDEN_ORIGIN', message };
  }
  if (!METHODS.has(method)) return { code: 'METHOD_NOT_ALLOWED', message: `expected GET or POST, got ${method}` };
  return undefined;
}

function passedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
