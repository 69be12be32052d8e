import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { STATUS } from '../../src/contract/failure.ts';
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
import type { EngineConfig } from '../options.ts';
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
 * Answers requests below `/api/engine/`: passes ready, metadata and infer of the named models on to the engine, with the
 * engine's token, for a page that sends its own token and names the same address. Nothing else of the engine is reachable.
 *
 * @param options  `isAuthorized`: whether a request has the token of an open tab
 */
export function createEngineProxy(
  options: EngineConfig & {
    readonly limits?: Partial<EngineLimits>;
    readonly isAuthorized: (request: IncomingMessage) => Promise<boolean>;
  },
) {
  const limits = { ...LIMITS, ...options.limits };
  const take = createRateLimiter(limits);
  let underWay = 0;

  async function refusalOf(request: IncomingMessage): Promise<Refusal | undefined> {
    const route = engineRoute(request.url ?? '');
    const isOwn = hasLoopbackHost(request) && foreignOrigin(request) === undefined && !isCrossOrigin(request);
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
    if (route.path !== '' && named !== options.address) {
      const error = `this server was started with the engine ${options.address}, the page names another`;
      return { status: 403, error };
    }
    return bodyRefusal(request, limits);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setHeaders(response);
    const refusal = await refusalOf(request);
    if (refusal) return refuse(response, refusal);
    const path = engineRoute(request.url ?? '')?.path ?? '';
    if (path === '') {
      const body: EngineOffer = { address: options.address, models: options.models };
      return sendJson(response, 200, body);
    }
    if (underWay >= limits.maxUnderWay) return refuse(response, { status: 429, error: 'too many requests under way' });
    underWay += 1;
    await forwardToEngine(request, response, { ...options, path, limits }).finally(() => (underWay -= 1));
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => {
      // Not logged: what failed may hold the token.
      if (response.headersSent) return void response.destroy();
      refuse(response, { status: 500, error: 'the request could not be passed on' });
    });
  };
}

/** Answers for a server that was started without an engine, to a page that is still open from an earlier start. */
export function withoutEngine(request: IncomingMessage, response: ServerResponse): void {
  setHeaders(response);
  if (engineRoute(request.url ?? '')?.path !== '')
    return refuse(response, { status: 404, error: 'this server was started without --engine' });
  sendJson(response, 200, null);
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

/** Whether a URL is for the engine. */
export function isForEngine(url: string): boolean {
  return url.startsWith(PREFIX) || url === PREFIX.slice(0, -1);
}

/** The path below the engine's address, for ready, metadata and infer only. Not decoded, so that it has only one meaning. */
function engineRoute(url: string) {
  const path = url.slice(PREFIX.length);
  if (GENERAL.has(path)) return { path, method: 'GET', model: undefined };
  const [, model, action] = OF_MODEL.exec(path) ?? [];
  if (model === undefined) return undefined;
  return { path, method: action === '/infer' ? 'POST' : 'GET', model };
}

interface ForwardOptions extends EngineConfig {
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

/** Sends a request to the engine and its answer back. Settles in any case, and then `response` has ended. */
function forwardToEngine(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): Promise<void> {
  const { address, limits } = options;
  return new Promise((resolve) => {
    const upstream = upstreamRequest(request, options);
    const fail = (status: number, error: string) => {
      upstream.destroy();
      if (response.headersSent) return void response.destroy();
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

function returnAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  fail: (status: number, error: string) => void,
): void {
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
  fail: (status: number, error: string) => void,
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
  fail(status, shown);
}

function errorIn(text: string): string {
  try {
    const { error, detail } = JSON.parse(text) as { readonly error?: unknown; readonly detail?: unknown };
    return String(error ?? detail ?? text);
  } catch {
    return text;
  }
}

/** Node's messages name addresses and certificates, never headers. */
function reasonOf(error: Error & { readonly code?: string }): string {
  return error.code === undefined ? error.message : `${error.code} ${error.message}`;
}
