import type { ServerResponse } from 'node:http';
import { STATUS, type Failure, type FailureCode } from '../../src/contract/failure.ts';
import { RAN_AT } from '../../src/contract/wire/engine.ts';
import { CHALLENGE } from '../../src/contract/wire/token.ts';
import type { AnswerHead } from '../../src/protocol/frames/frames.ts';
import { ANSWER_HEADERS } from '../../src/protocol/page/headers.ts';

/** After which failures of the way the same request may succeed, and when to try. */
const RETRY_AFTER_SECONDS: Readonly<Partial<Record<FailureCode, number>>> = { NO_TAB: 2, QUEUE_FULL: 2 };

const COMMON_HEADERS = { ...ANSWER_HEADERS, 'Cache-Control': 'no-store' };

/** What an answer of the contract says in its head. All else belongs to this connection, or to this server's policy. */
const PASSED_BACK = new Set(['allow', 'content-type', 'deprecation', RAN_AT, 'link', 'retry-after', 'sunset']);

/** The contract's error body. */
export function refuse(response: ServerResponse, { code, message }: Failure): void {
  if (response.headersSent) return void response.destroy();
  const retryAfter = RETRY_AFTER_SECONDS[code];
  const headers = {
    'Content-Type': 'application/json',
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
  complete(response, { status: STATUS[code], headers }, JSON.stringify({ error: message, code }));
}

/**
 * A whole answer.
 *
 * @param response  on which headers for its reader may be set already
 */
export function complete(response: ServerResponse, head: AnswerHead, body: string): void {
  const hasBody = response.req.method !== 'HEAD'; // the router has left it out, so its length is not known
  const length = hasBody ? { 'Content-Length': Buffer.byteLength(body) } : {};
  response.writeHead(head.status, { ...headersOf(head), ...length }).end(body);
}

/** The first part of a streamed answer, sent at once: the first line may be long in coming. */
export function begin(response: ServerResponse, head: AnswerHead): void {
  response.writeHead(head.status, headersOf(head)).flushHeaders();
}

/** The challenge is the server's own: one of a tab could ask a browser's user for a password. */
function headersOf({ status, headers }: AnswerHead): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => PASSED_BACK.has(name.toLowerCase()));
  return { ...COMMON_HEADERS, ...Object.fromEntries(passed), ...(status === STATUS.UNAUTHORIZED && CHALLENGE) };
}
