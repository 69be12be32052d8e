import type { IncomingMessage, ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { type Failure, failure, type Result, STATUS } from '../../src/contract/failure.ts';
import { isOpenAiPath } from '../../src/contract/failure-body.ts';
import { type BodyPieces, PIECE } from '../../src/contract/wire/long-body.ts';
import { TOKEN_FORMAT } from '../../src/contract/wire/engine.ts';
import { type AnswerHead, hashOfToken, PASSED_HEADERS } from '../../src/protocol/frames/frames.ts';
import {
  corsHeaders,
  foreignOrigin,
  hasLoopbackHost,
  isCrossOrigin,
  isPreflight,
  preflightHeaders,
} from '../origins.ts';
import { noTab, route, ROUTE_LIMITS, sendFailure, sendResponse } from './route.ts';
import { createTabs, type Tab, TABS_LIMITS } from './tabs.ts';
import { openApiDocument } from '../../src/contract/description/openapi.ts';
import { VERSION } from '../../src/contract/description/version.ts';

const LIMITS = {
  ...ROUTE_LIMITS,
  ...TABS_LIMITS,
  /** A file of 64 MiB, the largest that the contract reads, is a third longer in base64. */
  maxBodyBytes: 128 * 1024 * 1024,
  /** Of all requests together. */
  maxHeldBytes: 256 * 1024 * 1024,
};

/** The bounds of a bridge in time and memory; tests choose smaller ones. */
export type BridgeServerLimits = typeof LIMITS;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface BridgeServerOptions {
  readonly pageUrl: () => string;
  readonly residents?: readonly Tab[];
  readonly isBehindProxy?: boolean;
}

/** Whether a URL belongs to the bridge: the contract below `/api`, or OpenAI's routes below `/v1`. */
export function isApi(url: string): boolean {
  return /^\/api([/?]|$)/.test(url) || isOpenAiPath(url);
}

/**
 * The contract over HTTP: a request to `/api/…` or `/v1/…` is passed to an open tab whose token it has, answered there by the page's
 * router, and the answer is passed back. The server knows only hashes of tokens and stores nothing. It answers itself what
 * needs no token, and refuses foreign pages.
 *
 * @param options.pageUrl        what to open in a browser
 * @param options.residents      services of this process that answer, too
 * @param options.isBehindProxy  clients of other machines come through a proxy, and name it as the host
 */
export function createBridgeServer({
  pageUrl,
  residents,
  isBehindProxy = false,
  ...limits
}: Partial<BridgeServerLimits> & BridgeServerOptions) {
  const settings = { ...LIMITS, ...limits };
  const tabs = createTabs(settings, residents);
  const readBody = createBodyReader(settings);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const origin = foreignOrigin(request);
    const barred = refusalOf(request, tabs, isBehindProxy);
    if (barred) return sendFailure(response, barred);
    if (origin !== undefined && isPreflight(request))
      return void response.writeHead(204, preflightHeaders(origin)).end();
    response.setHeaders(new Map(Object.entries(corsHeaders(origin))));
    const own = serverAnswer(method, url);
    if (own) return sendResponse(response, own.head, own.body);
    if (!tabs.isAnyConnected()) return sendFailure(response, noTab(pageUrl()));
    const rankedTabs = await tabsFor(request, origin);
    // Before the body is read.
    if (rankedTabs().length === 0) return sendFailure(response, UNAUTHORIZED);
    const read = await readBody(request);
    if (!read.ok) return sendFailure(response, read.failure);
    const body = method === 'GET' || method === 'HEAD' ? null : read.value.pieces;
    const passed = { method, path: url, headers: passedHeaders(request), body };
    await route(passed, response, rankedTabs, pageUrl(), settings).finally(read.value.release);
  }

  /** The tabs that may answer a request, best first, at each call. */
  async function tabsFor(request: IncomingMessage, origin?: string): Promise<() => readonly Tab[]> {
    const token = tokenOf(request);
    if (token === undefined) return () => [];
    const filter = { origin, tokenHash: await hashOfToken(token) };
    return () => tabs.ranked(filter);
  }

  const isAuthorized = async (request: IncomingMessage) => (await tabsFor(request))().length > 0;

  return {
    upgrade: tabs.upgrade,
    /** Settles `response` in any case. */
    answer(request: IncomingMessage, response: ServerResponse): void {
      handle(request, response).catch((error: unknown) => {
        if (response.destroyed) return; // the client left while its body was read
        console.error(error);
        sendFailure(response, { code: 'INTERNAL', message: String(error) });
      });
    },
    /** Whether a request has the token of an open tab. */
    isAuthorized,
    /** Why a request may not reach this process's own services; undefined: it may. */
    refusalFor: async (request: IncomingMessage) =>
      refusalOf(request, tabs, isBehindProxy) ?? ((await isAuthorized(request)) ? undefined : UNAUTHORIZED),
    close: tabs.close,
  };
}

function refusalOf(
  request: IncomingMessage,
  tabs: ReturnType<typeof createTabs>,
  isBehindProxy: boolean,
): Failure | undefined {
  const { method = '', headers } = request;
  const origin = foreignOrigin(request);
  const forbidden = (message: string): Failure => ({ code: 'FORBIDDEN_ORIGIN', message });
  if (!isBehindProxy && !hasLoopbackHost(request))
    return forbidden(`Host: expected localhost or 127.0.0.1 once, got "${headers.host ?? ''}"`);
  if (origin === undefined && isCrossOrigin(request))
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
  message:
    'Authorization: expected "Bearer <token>" with the token of an open tab or of this server, got another or none',
};

function passedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Clients read an answer only after they have sent the body, so up to this many times the bound is read and discarded. */
const DRAIN_FACTOR = 4;

interface ReadBody {
  readonly pieces: BodyPieces;
  readonly release: () => void;
}

/** Reads request bodies within both bounds; `release` when one is not needed any more. Rejects if the client leaves. */
function createBodyReader({ maxBodyBytes, maxHeldBytes }: BridgeServerLimits) {
  let held = 0;
  return async (request: IncomingMessage): Promise<Result<ReadBody>> => {
    let pieces = createPieces();
    let size = 0;
    let own = 0;
    let isHeld = true; // until a bound is passed: what comes then is discarded, and not counted
    const release = () => {
      held -= own;
      own = 0;
    };
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length;
        isHeld &&= size <= maxBodyBytes && held + chunk.length <= maxHeldBytes;
        if (isHeld) {
          own += chunk.length;
          held += chunk.length;
          pieces.add(chunk);
        } else {
          pieces = createPieces();
          release();
        }
        if (size > DRAIN_FACTOR * maxBodyBytes) break; // and the connection is closed
      }
    } catch (error) {
      release();
      throw error;
    }
    if (size > maxBodyBytes)
      return failure('PAYLOAD_TOO_LARGE', `body: expected at most ${maxBodyBytes} bytes, got ${size} or more`);
    if (!isHeld) return failure('QUEUE_FULL', 'Too many large requests are waiting. Try again later.');
    return { ok: true, value: { pieces: pieces.end(), release } };
  };
}

/** Decodes UTF-8 as it comes: a body of 128 MiB at once would keep others waiting. */
function createPieces() {
  const decoder = new StringDecoder();
  const pieces: string[] = [];
  let last = '';
  return {
    add(chunk: Buffer): void {
      last += decoder.write(chunk);
      if (last.length < PIECE / 2) return;
      pieces.push(last);
      last = '';
    },
    end: (): BodyPieces => [...pieces, last + decoder.end()],
  };
}

const BODIES: Readonly<Record<string, { readonly type: string; readonly body: () => string }>> = {
  '/version': { type: 'text/plain;charset=UTF-8', body: () => VERSION },
  '/openapi.json': { type: 'application/json', body: () => JSON.stringify(openApiDocument()) },
};

/**
 * The answer to an operation that needs no token. It does not come from a tab: nothing says which, and a hostile tab could describe an
 * interface that sends clients elsewhere.
 *
 * @param url  below `/api` or `/api/v1`, as it was sent
 * @returns undefined for every other operation
 */
function serverAnswer(method: string, url: string): { readonly head: AnswerHead; readonly body: string } | undefined {
  const [path = ''] = url.split('?', 1);
  const operation = path.replace(/^\/api(\/v1)?(?=\/)/, '');
  const found = Object.hasOwn(BODIES, operation) ? BODIES[operation] : undefined;
  if (found === undefined) return undefined;
  if (method === 'GET' || method === 'HEAD')
    return { head: { status: 200, headers: { 'content-type': found.type } }, body: found.body() };
  const error = `${operation}: expected GET, got ${method}`;
  const headers = { 'content-type': 'application/json', allow: 'GET' };
  const body = JSON.stringify({ error, code: 'METHOD_NOT_ALLOWED' });
  return { head: { status: STATUS.METHOD_NOT_ALLOWED, headers }, body };
}
