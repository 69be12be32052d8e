import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from '../../src/contract/failure.ts';
import { TOKEN_FORMAT } from '../../src/contract/wire/token.ts';
import { hashOfToken, PASSED_HEADERS } from '../../src/protocol/frames/line.ts';
import {
  foreignOrigin,
  isFromElsewhere,
  isPreflight,
  namesThisMachine,
  preflightHeaders,
  readableBy,
} from '../origins.ts';
import { createBodyReader } from './body.ts';
import { ownAnswer } from './own-answers.ts';
import { complete, refuse } from './reply.ts';
import { noTab, route } from './route.ts';
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
  /** A hundred full embeddings take 8 MB; a score for each token of the longest prompt and target takes more. */
  maxFrameBytes: 128 * 1024 * 1024,
  /** A hundred allowed origins take 30 kB. */
  maxIdleBytes: 64 * 1024,
  maxUnreadBytes: 256 * 1024 * 1024,
  maxOwed: 1024,
  maxTabs: 64,
  presenceMs: 10_000,
};

/** The bounds of time and memory that a bridge keeps; tests choose smaller ones. */
export type BridgeLimits = typeof LIMITS;

/** The server's end of the bridge. */
export interface Bridge {
  /** Takes the server's requests to become a WebSocket. */
  readonly upgrade: Tabs['upgrade'];
  /** Settles `response` in any case. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Whether a request carries the token of an open tab. */
  isAuthorized(request: IncomingMessage): Promise<boolean>;
  close(): void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Whether a URL belongs to the bridge. */
export function isApi(url: string): boolean {
  return /^\/api([/?]|$)/.test(url);
}

/**
 * The contract over HTTP: a request to `/api/…` travels to an open tab whose token it carries, is run there by the page's
 * router, and its answer travels back. The server knows hashes of tokens alone and keeps nothing. It answers by itself
 * that the way is barred, and what needs no token.
 *
 * @param options  `pageUrl`: what to open in a browser
 */
export function createBridge({
  pageUrl,
  ...limits
}: Partial<BridgeLimits> & { readonly pageUrl: () => string }): Bridge {
  const settings = { ...LIMITS, ...limits };
  const tabs = createTabs(settings);
  const readBody = createBodyReader(settings);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const origin = foreignOrigin(request);
    const barred = barrierTo(request, origin, tabs);
    if (barred) return refuse(response, barred);
    if (origin !== undefined && isPreflight(request))
      return void response.writeHead(204, preflightHeaders(origin)).end();
    response.setHeaders(new Map(Object.entries(readableBy(origin))));
    const own = ownAnswer(method, url);
    if (own) return complete(response, own.head, own.body);
    if (!tabs.areThere()) return refuse(response, noTab(pageUrl()));
    const token = tokenOf(request);
    const asker = token === undefined ? undefined : { origin, tokenHash: await hashOfToken(token) };
    // Before a body is read that nobody has a right to send.
    if (asker === undefined || tabs.inOrder(asker).length === 0) return refuse(response, UNAUTHORIZED);
    const read = await readBody(request);
    if (!read.ok) return refuse(response, read.failure);
    const body = method === 'GET' || method === 'HEAD' ? null : read.value.text;
    const asked = { method, path: url, headers: passedHeaders(request), body };
    const way = { tabsInOrder: () => tabs.inOrder(asker), patience: settings, pageUrl: pageUrl() };
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
    async isAuthorized(request) {
      const token = tokenOf(request);
      return token !== undefined && tabs.inOrder({ origin: undefined, tokenHash: await hashOfToken(token) }).length > 0;
    },
    close: tabs.close,
  };
}

function barrierTo(request: IncomingMessage, origin: string | undefined, tabs: Tabs): Failure | undefined {
  const { method = '', headers } = request;
  const forbidden = (message: string): Failure => ({ code: 'FORBIDDEN_ORIGIN', message });
  if (!namesThisMachine(request))
    return forbidden(`Host: expected localhost or 127.0.0.1 once, got "${headers.host ?? ''}"`);
  if (origin === undefined && isFromElsewhere(request))
    return forbidden(`Sec-Fetch-Site: expected same-origin or none, got "${headers['sec-fetch-site']}"`);
  if (origin !== undefined && !tabs.allow(origin))
    return forbidden(`Origin: expected one that an open tab's settings allow, got "${origin}"`);
  if (!METHODS.has(method)) return { code: 'METHOD_NOT_ALLOWED', message: `expected GET or POST, got ${method}` };
  return undefined;
}

/** The bearer token of a request, if it is one that a page can have. */
function tokenOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  const [, token = ''] = /^Bearer (.+)$/.exec(authorization) ?? [];
  return TOKEN_FORMAT.test(token) ? token : undefined;
}

const UNAUTHORIZED: Failure = {
  code: 'UNAUTHORIZED',
  message: 'Authorization: expected "Bearer <token>" with the token of an open tab, got another or none',
};

function passedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
