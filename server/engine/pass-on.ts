import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { ENGINE_ATTEMPT, JSON_LENGTH } from '../../src/contract/wire/engine.ts';
import type { EngineOptions } from './engine-address.ts';

/** A request that may be passed on. */
export interface Passing extends EngineOptions {
  /** Below the engine's address. */
  readonly path: string;
  readonly limits: { readonly maxAnswerBytes: number; readonly silenceMs: number };
}

/** Certificates are checked, whatever the environment says. */
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' }),
};

/** What of a request the engine sees beside its token. */
const SENT = ['content-type', 'content-length', JSON_LENGTH];

/** What of an answer the page sees. */
const RETURNED = ['content-type', 'content-length', JSON_LENGTH, 'retry-after'];

/** Of the text of an error. */
const ERROR_BYTES = 8 * 1024;

/** Sends a request to the engine and its answer back. Settles in any case, and then `response` has ended. */
export function passOn(request: IncomingMessage, response: ServerResponse, passing: Passing): Promise<void> {
  const { address, limits } = passing;
  return new Promise((resolve) => {
    const upstream = asked(request, passing);
    const fail = (status: number, error: string) => {
      upstream.destroy();
      if (response.headersSent) return void response.destroy();
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
    };
    response.once('close', () => {
      upstream.destroy(); // the page has its answer, or has left
      resolve();
    });
    upstream.setTimeout(limits.silenceMs, () => fail(504, `${address} said nothing for ${limits.silenceMs / 1000} s`));
    upstream.once('error', (error) => fail(502, `${address} cannot be reached: ${reasonOf(error)}`));
    upstream.once('response', (answer) => {
      const status = answer.statusCode ?? 502;
      if (status >= 300 && status < 400)
        return fail(502, `${address} answered ${status}: it is not followed elsewhere`);
      if (status >= 400) return void failAs(status, answer, passing, fail);
      returnAnswer(answer, response, limits.maxAnswerBytes, fail);
    });
    request.once('error', () => upstream.destroy());
    request.pipe(upstream);
  });
}

function asked(request: IncomingMessage, { address, path, token }: Passing) {
  const url = new URL(`${address}/${path}`);
  const isTls = url.protocol === 'https:';
  const headers = Object.fromEntries(SENT.flatMap((name) => pairOf(request, name)));
  const isAgain = request.headers[ENGINE_ATTEMPT] !== undefined;
  return (isTls ? httpsRequest : httpRequest)(url, {
    method: request.method ?? 'GET',
    headers: { ...headers, Accept: '*/*', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    // The connection of the first try may lead to a machine that is gone.
    agent: isAgain ? false : AGENTS[isTls ? 'https:' : 'http:'],
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

/** An engine's error, with what it says, cut short and without the token. */
async function failAs(
  status: number,
  answer: IncomingMessage,
  { address, token }: Passing,
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
  const said = errorIn(text.slice(0, ERROR_BYTES));
  const shown = token === undefined ? said : said.replaceAll(token, '…');
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
