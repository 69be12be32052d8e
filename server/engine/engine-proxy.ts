import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS } from '../../src/contract/failure.ts';
import { ENGINE_ADDRESS, type EngineOffer } from '../../src/contract/wire/engine.ts';
import { ANSWER_HEADERS } from '../../src/protocol/page/headers.ts';
import { createAllowance } from '../bridge/allowance.ts';
import { foreignOrigin, isFromElsewhere, namesThisMachine } from '../origins.ts';
import type { EngineOptions } from './engine-address.ts';
import { engineRoute } from './engine-route.ts';
import { passOn } from './pass-on.ts';

const LIMITS = {
  /** A batch of 32 sequences with the longest KV cache that is sent along takes a fraction of it. */
  maxBodyBytes: 64 * 2 ** 20,
  /** Logits of a long run: 1,000 positions of a vocabulary of 64,000. */
  maxAnswerBytes: 256 * 2 ** 20,
  /** Twice what a page has under way at most. */
  maxUnderWay: 32,
  burst: 64,
  perSecond: 200,
  /** An engine that says nothing for so long is away. */
  silenceMs: 120_000,
};

/** The bounds of time, rate and memory that the way to the engine keeps; tests choose smaller ones. */
export type EngineLimits = typeof LIMITS;

/** See `createEngineProxy`. */
export interface EngineProxyOptions extends EngineOptions {
  readonly limits?: Partial<EngineLimits>;
  /** Whether a request carries the token of an open tab. */
  readonly isAuthorized: (request: IncomingMessage) => Promise<boolean>;
}

/** A refusal of the local server itself, in the protocol's form of an error. */
interface Refusal {
  readonly status: number;
  readonly error: string;
}

/**
 * Answers requests below `/api/engine/`: it passes ready, metadata and infer of the named models on to the engine, with the
 * engine's token, for a page that shows its own token and names the same address. Nothing else of the engine is reachable.
 */
export function createEngineProxy(options: EngineProxyOptions) {
  const limits = { ...LIMITS, ...options.limits };
  const take = createAllowance(limits);
  let underWay = 0;

  async function refusalOf(request: IncomingMessage): Promise<Refusal | undefined> {
    const route = engineRoute(request.url ?? '');
    const isOwn = namesThisMachine(request) && foreignOrigin(request) === undefined && !isFromElsewhere(request);
    if (!isOwn) return { status: 403, error: 'only the page of this server may use its engine' };
    if (!take()) return { status: 429, error: `expected at most ${limits.perSecond} requests a second` };
    if (!(await options.isAuthorized(request)))
      return { status: STATUS.UNAUTHORIZED, error: 'expected the token of an open tab, got another or none' };
    if (route === undefined) return { status: 404, error: 'expected ready, metadata or infer of the protocol' };
    if (request.method !== route.method)
      return { status: 405, error: `expected ${route.method}, got ${request.method}` };
    if (route.model !== undefined && !options.models.includes(route.model))
      return { status: 403, error: `expected a model of --engine-models, got "${route.model}"` };
    const named = request.headers[ENGINE_ADDRESS];
    if (route.path !== '' && named !== options.address)
      return {
        status: 403,
        error: `this server was started with the engine ${options.address}, the page names another`,
      };
    return bodyRefusal(request, limits);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeaders(new Map(Object.entries({ ...ANSWER_HEADERS, 'Cache-Control': 'no-store' })));
    const refusal = await refusalOf(request);
    if (refusal) return refuse(response, refusal);
    const path = engineRoute(request.url ?? '')?.path ?? '';
    if (path === '') return offer(response, options);
    if (underWay >= limits.maxUnderWay) return refuse(response, { status: 429, error: 'too many requests under way' });
    underWay += 1;
    await passOn(request, response, { ...options, path, limits }).finally(() => (underWay -= 1));
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => {
      // Not logged: what failed may hold the token.
      if (response.headersSent) return void response.destroy();
      refuse(response, { status: 500, error: 'the request could not be passed on' });
    });
  };
}

/** The same of a server that was started without an engine: it says so, to a page that was kept from an earlier start. */
export function withoutEngine(request: IncomingMessage, response: ServerResponse): void {
  response.setHeaders(new Map(Object.entries({ ...ANSWER_HEADERS, 'Cache-Control': 'no-store' })));
  if (engineRoute(request.url ?? '')?.path !== '')
    return refuse(response, { status: 404, error: 'this server was started without --engine' });
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('null');
}

/** The length is known before anything is read: HTTP itself then keeps the body to it. */
function bodyRefusal({ method, headers }: IncomingMessage, { maxBodyBytes }: EngineLimits): Refusal | undefined {
  if (method !== 'POST') return undefined;
  const bytes = Number(headers['content-length'] ?? NaN);
  if (!Number.isSafeInteger(bytes)) return { status: 411, error: 'expected a Content-Length' };
  if (bytes > maxBodyBytes)
    return { status: STATUS.PAYLOAD_TOO_LARGE, error: `expected at most ${maxBodyBytes} bytes, got ${bytes}` };
  return undefined;
}

function offer(response: ServerResponse, { address, models }: EngineOptions): void {
  const body: EngineOffer = { address, models };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, { status, error }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify({ error }));
}
