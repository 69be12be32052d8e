import type { ServerResponse } from 'node:http';
import { STATUS, type Failure } from '../../src/contract/failure.ts';
import { STREAM_TYPE, type StreamLine } from '../../src/contract/wire/stream.ts';
import type { AnswerHead } from '../../src/protocol/frames/frames.ts';
import type { Asked, Tab } from './tab.ts';
import { begin } from './reply.ts';

/** How long a tab is waited for, and how much of its answer is kept. */
export interface Patience {
  readonly acceptMs: number;
  readonly marginMs: number;
  readonly maxBacklogBytes: number;
}

/** How one try of a request at one tab ends. */
export type Outcome =
  /** Nothing is sent yet. */
  | { readonly kind: 'answered'; readonly head: AnswerHead; readonly body: string }
  /** All that could be sent was. */
  | { readonly kind: 'streamed' }
  /** The tab did not accept, so nothing was begun. */
  | { readonly kind: 'silent' }
  /** The tab went away before its answer; its own time-out passed; its router threw. */
  | { readonly kind: 'lost' | 'late' | 'broken'; readonly failure: Failure }
  /** The client went away. */
  | { readonly kind: 'left' };

const LOST = 'The tab that was answering went away. Send the request again while one is open.';

/** One try of a request at one tab. Settles in any case: by the tab, its loss, its deadline, or the client's leaving. */
export function ask(
  tab: Tab,
  asked: Asked,
  response: ServerResponse,
  { acceptMs, marginMs, maxBacklogBytes }: Patience,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(acceptance);
      clearTimeout(deadline);
      response.off('close', onLeave);
      attempt.cancel();
      resolve(outcome);
    };
    const cutShort = (kind: 'lost' | 'late' | 'broken', code: Failure['code'], message: string) => {
      if (!response.headersSent) return settle({ kind, failure: { code, message } });
      breakOff(response, { code, message });
      settle({ kind: 'streamed' });
    };
    const onLeave = () => settle({ kind: 'left' });
    const attempt = tab.ask(asked, {
      onLost: () => cutShort('lost', 'NO_TAB', LOST),
      onReply(reply) {
        clearTimeout(acceptance);
        switch (reply.type) {
          case 'accepted':
            return;
          case 'answer':
            return settle({ kind: 'answered', head: reply, body: reply.body });
          case 'begin':
            return begin(response, reply);
          case 'chunk':
            response.write(reply.text);
            return response.writableLength > maxBacklogBytes ? void response.destroy() : undefined;
          case 'end':
            response.end();
            return settle({ kind: 'streamed' });
          case 'broken':
            return cutShort('broken', 'INTERNAL', reply.reason);
        }
      },
    });
    const { timeoutMs } = tab.presence;
    const onLate = () => cutShort('late', 'TIMEOUT', `expected an answer within ${timeoutMs / 1000} s, got none`);
    const deadline = setTimeout(onLate, timeoutMs + marginMs);
    const onSilence = () => {
      tab.isSilent = true;
      settle({ kind: 'silent' });
    };
    const acceptance = setTimeout(onSilence, acceptMs);
    response.on('close', onLeave);
    // A client that neither reads nor leaves is left.
    response.setTimeout(timeoutMs + 2 * marginMs, () => response.destroy());
    if (response.destroyed) onLeave();
  });
}

/**
 * Ends an answer that was begun. Lines of JSON end with the failure that the contract promises; of anything else the
 * client learns by a broken connection that it is incomplete.
 */
function breakOff(response: ServerResponse, { code, message }: Failure): void {
  if (!String(response.getHeader('content-type')).startsWith(STREAM_TYPE)) return void response.destroy();
  const line: StreamLine<never> = { failure: { status: STATUS[code], error: message, code } };
  response.end(`${JSON.stringify(line)}\n`);
}
