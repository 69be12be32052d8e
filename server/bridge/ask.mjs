// @ts-check
import { STATUS, begin } from './reply.mjs';

/**
 * One try of a request at one tab.
 *
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {Omit<Extract<import('./line.mjs').ToTab, { type: 'request' }>, 'type' | 'id'>} Asked
 * @typedef {import('./reply.mjs').Refusal} Refusal
 * @typedef {{ acceptMs: number, marginMs: number, maxBacklogBytes: number }} Patience
 * @typedef {{ kind: 'answered', head: import('../../src/protocol/frames.ts').AnswerHead, body: string }
 *   | { kind: 'streamed' }
 *   | { kind: 'silent' }
 *   | { kind: 'lost' | 'late' | 'broken', refusal: Refusal }
 *   | { kind: 'left' }} Outcome
 *
 * answered: nothing is sent yet · streamed: all that could be sent was · silent: not accepted, so not begun · lost: the
 * tab went away before its answer · late: its own time-out passed · broken: its router threw · left: the client went away
 */

/** As in `src/contract/stream.ts`. */
const STREAM_TYPE = 'application/x-ndjson';

/** How fast a slow machine's tab takes in a large body, before it can accept it. */
const CHARACTERS_PER_MS = 4_000;

const LOST = 'The tab that was answering went away. Send the request again while one is open.';

/**
 * @param {import('./tabs.mjs').Tab} tab
 * @param {Asked} asked
 * @param {ServerResponse} response
 * @param {Patience} patience
 * @returns {Promise<Outcome>} settled in any case: by the tab, its loss, its deadline, or the client's leaving
 */
export function ask(tab, asked, response, { acceptMs, marginMs, maxBacklogBytes }) {
  return new Promise((resolve) => {
    const settle = (/** @type {Outcome} */ outcome) => {
      clearTimeout(acceptance);
      clearTimeout(deadline);
      response.off('close', onLeave);
      attempt.cancel();
      resolve(outcome);
    };
    /** @type {(kind: 'lost' | 'late' | 'broken', code: Refusal['code'], message: string) => void} */
    const cutShort = (kind, code, message) => {
      if (!response.headersSent) return settle({ kind, refusal: { code, message } });
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
    const acceptance = setTimeout(
      () => {
        tab.isSilent = true;
        settle({ kind: 'silent' });
      },
      acceptMs + (asked.body?.length ?? 0) / CHARACTERS_PER_MS,
    );
    response.on('close', onLeave);
    // A client that neither reads nor leaves is left.
    response.setTimeout(timeoutMs + 2 * marginMs, () => response.destroy());
    if (response.destroyed) onLeave();
  });
}

/**
 * Ends an answer that was begun. Lines of JSON end with the failure that the contract promises; of anything else the
 * client learns by a broken connection that it is incomplete.
 *
 * @param {ServerResponse} response
 * @param {Refusal} refusal
 */
function breakOff(response, { code, message }) {
  if (!String(response.getHeader('content-type')).startsWith(STREAM_TYPE)) return void response.destroy();
  response.end(`${JSON.stringify({ failure: { status: STATUS[code], error: message, code } })}\n`);
}
