import type { ServerResponse } from 'node:http';
import { type Failure, type FailureCode, STATUS } from '../../src/contract/failure.ts';
import { failureBody } from '../../src/contract/failure-body.ts';
import type { RequestForTab, Tab } from './tabs.ts';
import { STREAM_TYPE, type StreamLine } from '../../src/contract/wire/stream.ts';
import type { AnswerHead } from '../../src/protocol/frames/frames.ts';
import { CHALLENGE, RAN_AT } from '../../src/contract/wire/engine.ts';
import { ANSWER_HEADERS } from '../../src/protocol/page/headers.ts';

/** How long to wait for a tab, and how much of its answer to hold. */
export const ROUTE_LIMITS = {
  /** A tab says at once that it has a request; one that does not is frozen, or busy with a long task. */
  acceptMs: 10_000,
  /** Added to the tab's own time-out; the contract's clients wait 5 s longer than that. */
  marginMs: 3_000,
  /** Of an answer in pieces whose reader does not read. A hundred full embeddings take 8 MB; scores for each token of a long prompt take more. */
  maxBacklogBytes: 128 * 1024 * 1024,
};

/** After the loss of this many tabs a request is given up: it may be what breaks them. */
const MAX_LOST = 2;

/**
 * Sends a request to the tabs that it is for, one after another. Settles `response` in any case: with the answer of a tab,
 * else with the reason why there is none. A request is sent again only when no tab has begun to answer it; every operation
 * of the contract may be repeated.
 *
 * @param pageUrl  what to open in a browser when there is no tab
 */
export async function route(
  request: RequestForTab,
  response: ServerResponse,
  rankedTabs: () => readonly Tab[],
  pageUrl: string,
  limits: typeof ROUTE_LIMITS,
): Promise<void> {
  const tried = new Set<Tab>();
  let lost = 0;
  let failure = noTab(pageUrl);
  while (lost < MAX_LOST) {
    const tab = rankedTabs().find((each) => !tried.has(each));
    if (tab === undefined) break;
    tried.add(tab);
    if (tab.isFull) {
      failure = { code: 'QUEUE_FULL', message: 'The open tab has too many requests to answer. Try again later.' };
      continue;
    }
    const outcome = await forwardToTab(tab, request, response, limits);
    if (outcome === 'settled') return;
    if (outcome === 'silent') {
      failure = { code: 'NO_TAB', message: `The open tab does not react: look at it, or open ${pageUrl} in another.` };
      continue;
    }
    if ('head' in outcome) return sendResponse(response, outcome.head, outcome.body);
    failure = outcome.failure;
    if (!outcome.isLost) break;
    lost += 1;
  }
  return sendFailure(response, failure);
}

/** The failure of a request for which no tab is connected. */
export function noTab(pageUrl: string): Failure {
  return { code: 'NO_TAB', message: `No tab is there to answer: open ${pageUrl} in a browser and leave it open.` };
}

/** How one attempt ends. `settled`: all that could be sent was, or the client left. `silent`: the tab did not accept. */
type ForwardOutcome =
  | 'settled'
  | 'silent'
  | { readonly head: AnswerHead; readonly body: string }
  /** The tab was lost before its answer, it took too long, or its router threw. */
  | { readonly failure: Failure; readonly isLost: boolean };

const LOST = 'The tab that was answering went away. Send the request again while one is open.';

/** Sends a request to one tab. Settles in any case: by the tab, its loss, its deadline, or because the client leaves. */
function forwardToTab(
  tab: Tab,
  request: RequestForTab,
  response: ServerResponse,
  { acceptMs, marginMs, maxBacklogBytes }: typeof ROUTE_LIMITS,
): Promise<ForwardOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: ForwardOutcome) => {
      clearTimeout(acceptance);
      clearTimeout(deadline);
      response.off('close', onLeave);
      attempt.cancel();
      resolve(outcome);
    };
    const cutShort = (code: Failure['code'], message: string, isLost = false) => {
      if (!response.headersSent) return settle({ failure: { code, message }, isLost });
      endIncomplete(response, { code, message });
      settle('settled');
    };
    const onLeave = () => settle('settled');
    const attempt = tab.request(request, {
      onLost: () => cutShort('NO_TAB', LOST, true),
      onReply(reply) {
        clearTimeout(acceptance);
        switch (reply.type) {
          case 'accepted':
            return;
          case 'answer':
            return settle({ head: reply, body: reply.body });
          case 'begin':
            return startResponse(response, reply);
          case 'chunk':
            response.write(reply.text);
            return response.writableLength > maxBacklogBytes ? void response.destroy() : undefined;
          case 'end':
            response.end();
            return settle('settled');
          case 'broken':
            return cutShort('INTERNAL', reply.reason);
        }
      },
    });
    const { timeoutMs } = tab.presence;
    const onLate = () => cutShort('TIMEOUT', `expected an answer within ${timeoutMs / 1000} s, got none`);
    const deadline = setTimeout(onLate, timeoutMs + marginMs);
    const onSilence = () => {
      tab.isSilent = true;
      settle('silent');
    };
    const acceptance = setTimeout(onSilence, acceptMs);
    response.on('close', onLeave);
    // A client may neither read nor leave.
    response.setTimeout(timeoutMs + 2 * marginMs, () => response.destroy());
    if (response.destroyed) onLeave();
  });
}

/** Ends an answer that was begun: lines of JSON with the failure, any other by breaking the connection. */
function endIncomplete(response: ServerResponse, { code, message }: Failure): void {
  if (!String(response.getHeader('content-type')).startsWith(STREAM_TYPE)) return void response.destroy();
  const line: StreamLine<never> = { failure: { status: STATUS[code], error: message, code } };
  response.end(`${JSON.stringify(line)}\n`);
}

/** After which failures of the bridge the same request may succeed, and when to try. */
const RETRY_AFTER_SECONDS: Readonly<Partial<Record<FailureCode, number>>> = { NO_TAB: 2, QUEUE_FULL: 2 };

const COMMON_HEADERS = { ...ANSWER_HEADERS, 'Cache-Control': 'no-store' };

/** The headers of an answer that are passed on. All others belong to this connection, or to this server's policy. */
const FORWARDED_HEADERS = new Set(['allow', 'content-type', 'deprecation', RAN_AT, 'link', 'retry-after', 'sunset']);

/** A failure as the request's path wants it. */
export function sendFailure(response: ServerResponse, failure: Failure): void {
  if (response.headersSent) return void response.destroy();
  const { code } = failure;
  const retryAfter = RETRY_AFTER_SECONDS[code];
  const headers = {
    'Content-Type': 'application/json',
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
  const body = JSON.stringify(failureBody(failure, response.req.url ?? ''));
  sendResponse(response, { status: STATUS[code], headers }, body);
}

/** A whole answer. Headers for its reader may be set already. */
export function sendResponse(response: ServerResponse, head: AnswerHead, body: string): void {
  const hasBody = response.req.method !== 'HEAD'; // the router has left it out, so its length is not known
  const length = hasBody ? { 'Content-Length': Buffer.byteLength(body) } : {};
  response.writeHead(head.status, { ...headersOf(head), ...length }).end(body);
}

/** The head of a streamed answer, sent at once: the first line may come late. */
function startResponse(response: ServerResponse, head: AnswerHead): void {
  response.writeHead(head.status, headersOf(head)).flushHeaders();
}

/** The server sends its own challenge: that of a tab could make a browser ask for a password. */
function headersOf({ status, headers }: AnswerHead): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => FORWARDED_HEADERS.has(name.toLowerCase()));
  return { ...COMMON_HEADERS, ...Object.fromEntries(passed), ...(status === STATUS.UNAUTHORIZED && CHALLENGE) };
}
