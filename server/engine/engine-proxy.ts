import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { STATUS } from '../../src/contract/failure.ts';
import { isRecord } from '../../src/contract/records.ts';
import {
  ENGINE_ADDRESS,
  ENGINE_ATTEMPT,
  ENGINE_PATH,
  type EngineOffer,
  JSON_LENGTH,
} from '../../src/contract/wire/engine.ts';
import { ANSWER_HEADERS } from '../../src/protocol/page/headers.ts';
import { createRateLimiter } from '../bridge/rate-limiter.ts';
import { foreignOrigin, hasLoopbackHost, isCrossOrigin } from '../origins.ts';
import type { EngineConfig, UpstreamConfig } from '../options.ts';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const LIMITS = {
  /** A batch of 32 sequences with the longest KV cache that is sent takes a fraction of it. */
  maxBodyBytes: 64 * 2 ** 20,
  /** Logits of a long run: 1,000 positions of a vocabulary of 64,000. */
  maxAnswerBytes: 256 * 2 ** 20,
  /** Requests at the same time: twice what a page sends at most. */
  maxUnderWay: 32,
  burst: 64,
  perSecond: 200,
  /** An engine that sends nothing for this time is away. */
  silenceMs: 120_000,
};

/** Bounds of time, rate and memory; tests choose smaller ones. */
export type EngineLimits = typeof LIMITS;

/** A refusal of the local server itself, in the protocol's form of an error. */
interface Refusal {
  readonly status: number;
  readonly error: string;
}

/**
 * Answers requests below `/api/engine/`: passes ready, metadata and infer of the named models on to the engine, and lists of models,
 * completions and token ids to the OpenAI-compatible server, with the secret of each, for a page that sends its own token and names the same address.
 * Nothing else is reachable.
 *
 * @param options  `isAuthorized`: whether a request has the token of an open tab
 */
export function createEngineProxy({
  engine,
  upstream,
  isAuthorized,
  ...options
}: {
  readonly engine?: EngineConfig | undefined;
  readonly upstream?: UpstreamConfig | undefined;
  readonly limits?: Partial<EngineLimits>;
  readonly isAuthorized: (request: IncomingMessage) => Promise<boolean>;
}) {
  const limits = { ...LIMITS, ...options.limits };
  const take = createRateLimiter(limits);
  let underWay = 0;

  async function refusalOf(request: IncomingMessage, route: EngineRoute | undefined): Promise<Refusal | undefined> {
    const isOwn = hasLoopbackHost(request) && foreignOrigin(request) === undefined && !isCrossOrigin(request);
    if (!isOwn) return { status: 403, error: 'only the page of this server may use its engine' };
    if (!take()) return { status: 429, error: `expected at most ${limits.perSecond} requests a second` };
    if (!(await isAuthorized(request)))
      return { status: STATUS.UNAUTHORIZED, error: 'expected the token of an open tab, got another or none' };
    if (route === undefined)
      return {
        status: 404,
        error: 'expected ready, metadata or infer of the protocol, models, completions or tokenize',
      };
    if (request.method !== route.method)
      return { status: 405, error: `expected ${route.method}, got ${request.method}` };
    if (route.path === '') return undefined;
    const place = route.isUpstream ? upstream : engine;
    if (!place)
      return { status: 404, error: `this server was started without ${route.isUpstream ? '--upstream' : '--engine'}` };
    if (route.model !== undefined && !engine?.models.includes(route.model))
      return { status: 403, error: `expected a model of --engine-models, got "${route.model}"` };
    if (request.headers[ENGINE_ADDRESS] !== place.address)
      return { status: 403, error: `this server was started with ${place.address}, the page names another` };
    return bodyRefusal(request, limits);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setHeaders(response);
    if (pathOf(request) === '' && !engine && !upstream) return sendJson(response, 200, null); // no tab has to be open
    const route = engineRoute(pathOf(request));
    const refusal = await refusalOf(request, route);
    if (refusal) return refuse(response, refusal);
    const place = route?.isUpstream ? upstream : engine;
    if (!route?.path || !place) return sendJson(response, 200, offerOf(engine, upstream));
    if (underWay >= limits.maxUnderWay) return refuse(response, { status: 429, error: 'too many requests under way' });
    underWay += 1;
    await forwardToEngine(request, response, { ...place, path: route.path, limits }).finally(() => (underWay -= 1));
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => {
      // Not logged: what failed may hold the token.
      if (response.headersSent) return void response.destroy();
      refuse(response, { status: 500, error: 'the request could not be passed on' });
    });
  };
}

/** Without their secrets. */
function offerOf(engine: EngineConfig | undefined, upstream: UpstreamConfig | undefined): EngineOffer {
  return {
    engine: engine ? { address: engine.address, models: engine.models } : null,
    upstream: upstream ? { address: upstream.address } : null,
  };
}

function setHeaders(response: ServerResponse): void {
  response.setHeaders(new Map(Object.entries({ ...ANSWER_HEADERS, 'Cache-Control': 'no-store' })));
}

/** The length is known before anything is read: HTTP itself then limits the body to it. */
function bodyRefusal({ method, headers }: IncomingMessage, { maxBodyBytes }: EngineLimits): Refusal | undefined {
  if (method !== 'POST') return undefined;
  const bytes = Number(headers['content-length'] ?? NaN);
  if (!Number.isSafeInteger(bytes)) return { status: 411, error: 'expected a Content-Length' };
  if (bytes > maxBodyBytes)
    return { status: STATUS.PAYLOAD_TOO_LARGE, error: `expected at most ${maxBodyBytes} bytes, got ${bytes}` };
  return undefined;
}

function refuse(response: ServerResponse, { status, error }: Refusal): void {
  response.setHeader('Connection', 'close');
  sendJson(response, status, { error });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

const PREFIX = `/${ENGINE_PATH}`;

// '' is answered by the local server itself.
const GENERAL = new Set(['', 'v2', 'v2/health/ready']);
const OF_MODEL = /^v2\/models\/([A-Za-z0-9][A-Za-z0-9._-]{0,99})(?:\/versions\/\d{1,9})?(\/ready|\/infer)?$/;

/** What a page may ask of an OpenAI-compatible server, with the path below its address. */
const UPSTREAM_ROUTES: Readonly<Record<string, Omit<EngineRoute, 'model'>>> = {
  'v1/models': { path: 'models', method: 'GET', isUpstream: true },
  'v1/completions': { path: 'completions', method: 'POST', isUpstream: true },
  'v1/tokenize': { path: '../tokenize', method: 'POST', isUpstream: true }, // of llama.cpp, beside /v1
};

/** Whether a URL is for the engine. */
export function isForEngine(url: string): boolean {
  return url.startsWith(PREFIX) || url === PREFIX.slice(0, -1);
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.slice(PREFIX.length);
}

/** A request that may be passed on. */
interface EngineRoute {
  /** Below the address. */
  readonly path: string;
  readonly method: string;
  readonly model?: string | undefined;
  readonly isUpstream: boolean;
}

/** What a path below `/api/engine/` stands for. Not decoded, so that it has only one meaning. */
function engineRoute(path: string): EngineRoute | undefined {
  if (Object.hasOwn(UPSTREAM_ROUTES, path)) return UPSTREAM_ROUTES[path];
  if (GENERAL.has(path)) return { path, method: 'GET', isUpstream: false };
  const [, model, action] = OF_MODEL.exec(path) ?? [];
  if (model === undefined) return undefined;
  return { path, method: action === '/infer' ? 'POST' : 'GET', model, isUpstream: false };
}

interface ForwardOptions extends UpstreamConfig {
  /** Below the engine's address. */
  readonly path: string;
  readonly limits: EngineLimits;
}

/** Certificates are checked, whatever the environment says. */
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' }),
};

/** The headers of a request that are passed on to the engine. */
const SENT = ['content-type', 'content-length', JSON_LENGTH];

/** The headers of an answer that are passed on to the page. */
const RETURNED = ['content-type', 'content-length', JSON_LENGTH, 'retry-after'];

const ERROR_BYTES = 8 * 1024;

/** Ends a request with an error, and what the engine says about when it may be tried again. */
type Fail = (status: number, error: string, retryAfter?: string) => void;

/** Sends a request to the engine and its answer back. Settles in any case, and then `response` has ended. */
function forwardToEngine(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): Promise<void> {
  const { address, limits } = options;
  if (response.destroyed) return Promise.resolve(); // the page left before, and `close` is emitted once
  return new Promise((resolve) => {
    const upstream = upstreamRequest(request, options);
    const fail: Fail = (status, error, retryAfter) => {
      upstream.destroy();
      if (response.headersSent) return void response.destroy();
      if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
      sendJson(response, status, { error });
    };
    response.once('close', () => {
      upstream.destroy(); // the page has its answer, or was closed
      resolve();
    });
    upstream.setTimeout(limits.silenceMs, () => fail(504, `${address} said nothing for ${limits.silenceMs / 1000} s`));
    upstream.once('error', (error) => fail(502, `${address} cannot be reached: ${reasonOf(error)}`));
    upstream.once('response', (answer) => {
      const status = answer.statusCode ?? 502;
      if (status >= 300 && status < 400)
        return fail(502, `${address} answered ${status}: it is not followed elsewhere`);
      if (status >= 400) return void failAs(status, answer, options, fail);
      returnAnswer(answer, response, limits.maxAnswerBytes, fail);
    });
    request.once('error', () => upstream.destroy());
    request.pipe(upstream);
  });
}

function upstreamRequest(request: IncomingMessage, { address, path, token }: ForwardOptions) {
  const url = new URL(`${address}/${path}`);
  const isTls = url.protocol === 'https:';
  const headers = Object.fromEntries(SENT.flatMap((name) => pairOf(request, name)));
  const isRetry = request.headers[ENGINE_ATTEMPT] !== undefined;
  return (isTls ? httpsRequest : httpRequest)(url, {
    method: request.method ?? 'GET',
    headers: { ...headers, Accept: '*/*', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    // The connection of the first attempt may lead to a machine that has stopped.
    agent: isRetry ? false : AGENTS[isTls ? 'https:' : 'http:'],
    ...(isTls && { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const }),
  });
}

function pairOf({ headers }: IncomingMessage, name: string): [string, string][] {
  const value = headers[name];
  return typeof value === 'string' ? [[name, value]] : [];
}

function returnAnswer(answer: IncomingMessage, response: ServerResponse, maxBytes: number, fail: Fail): void {
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes)
    return fail(502, `an answer of more than ${maxBytes} bytes`);
  response.writeHead(answer.statusCode ?? 200, Object.fromEntries(RETURNED.flatMap((name) => pairOf(answer, name))));
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) fail(502, 'too long');
  });
  answer.once('error', () => response.destroy());
  answer.once('aborted', () => response.destroy());
  answer.pipe(response);
}

/** An engine's error with its text, shortened and without the token. */
async function failAs(
  status: number,
  answer: IncomingMessage,
  { address, token }: ForwardOptions,
  fail: Fail,
): Promise<void> {
  let text = '';
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      text += chunk.toString();
      if (text.length > ERROR_BYTES) break;
    }
  } catch {
    text ||= 'it broke off';
  }
  const error = errorIn(text.slice(0, ERROR_BYTES));
  const shown = token === undefined ? error : error.replaceAll(token, '…');
  if (status === 401 || status === 403)
    return fail(403, `${address} refuses this server's token (${status}): ${shown}`);
  fail(status, shown, answer.headers['retry-after']);
}

function errorIn(text: string): string {
  try {
    const { error, detail } = JSON.parse(text) as { readonly error?: unknown; readonly detail?: unknown };
    const told = isRecord(error) ? error['message'] : (error ?? detail);
    return typeof told === 'string' ? told : text; // FastAPI's detail may be a list of objects
  } catch {
    return text;
  }
}

/** Node's messages name addresses and certificates, never headers. */
function reasonOf(error: Error & { readonly code?: string }): string {
  return error.code === undefined ? error.message : `${error.code} ${error.message}`;
}
