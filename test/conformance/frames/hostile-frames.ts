import { once } from 'node:events';
import { WebSocket } from 'ws';
import { hashOfToken } from '../../../src/protocol/frames/frames.ts';
import { openSocket, PRESENCE } from '../../support/fakes/fake-tab.ts';
import { seededRandom } from '../../../workers/kernels/seeded-random.ts';

/** What a hostile tab sends in place of an answer, by kind; none costs much to make again. */
const MESSAGES: Readonly<Record<string, () => string | Uint8Array>> = {
  'lists without end': () => nested(LONG),
  'lists, closed': () => `${'['.repeat(LONG / 2)}${']'.repeat(LONG / 2)}`,
  'objects without end': () => '{"a":'.repeat(LONG / 5),
  'deep lists in an answer': () => `${ANSWER},"x":${nested(LONG - 200)}`,
  'a list of many numbers': () => `[${'0,'.repeat(LONG / 2 - 2)}0]`,
  'many headers': () =>
    `{"type":"answer","id":1,"status":200,"body":"","headers":{${'"a":"",'.repeat(LONG / 8)}"b":""}}`,
  'an answer with a long field of another name': () => `${ANSWER},"x":"${'x'.repeat(LONG - 200)}"}`,
  'an answer of escapes': () => `${ANSWER.replace('"body":""', `"body":"${'\\u0000'.repeat(LONG / 6 - 200)}"`)}}`,
  'an answer that is cut off': () => ANSWER.replace('"body":""', `"body":"${'x'.repeat(LONG - 200)}`),
  'a chunk before its begin': () => `{"type":"chunk","id":1,"text":"${'é'.repeat(LONG / 3)}"}`,
  'an unknown request': () => '{"type":"end","id":99}',
  'a message that is too long': () => '['.repeat(4 * LONG),
  bytes: () => new Uint8Array(LONG),
  'no JSON': () => 'hello',
  null: () => 'null',
};

/** Bytes below what the server takes as one message. */
const LONG = 1_572_000;
const ANSWER = '{"type":"answer","id":1,"status":200,"headers":{},"body":""';

function nested(levels: number): string {
  return '['.repeat(levels);
}

/** One message of 128 MiB, in one frame, as the server took them before it had a smaller limit. */
const HUGE = 128 * 2 ** 20;

/** A token that nobody else has. */
function tokenOf(tab: number): string {
  return String(tab).padStart(64, '5');
}

/** How a flood went. */
export interface Flood {
  readonly sent: Readonly<Record<string, number>>;
}

/**
 * Sends hostile frames to the server of an address, each from a tab that has a request to answer: a client that works with
 * it has sent that. Some come in one burst from one tab.
 *
 * @param frames   how many
 * @param tabs     connected at the same time
 * @param huge     how many of them are lists of 128 MiB
 */
export async function sendHostileFrames(
  url: string,
  { frames, seed, tabs = 4, huge = 0 }: { frames: number; seed: number; tabs?: number; huge?: number },
): Promise<Flood> {
  const random = seededRandom(seed);
  const kinds = Object.entries(MESSAGES).map(([kind, make]) => ({ kind, message: make() }));
  const sent: Record<string, number> = {};
  let left = frames;
  const attack = async (token: string): Promise<void> => {
    while (left > 0) {
      const { kind, message } = kinds[Math.floor(random() * kinds.length)] ?? { kind: '', message: '' };
      const burst = Math.min(left, random() < 0.5 ? 1 : 1 + Math.floor(20 * random()));
      left -= burst;
      sent[kind] = (sent[kind] ?? 0) + burst;
      await sendFrom(
        url,
        token,
        Array.from({ length: burst }, () => message),
      );
    }
  };
  const tokens = Array.from({ length: tabs }, (_, at) => tokenOf(at));
  await Promise.all(tokens.map(attack));
  for (let count = 0; count < huge; count += 1) await sendFrom(url, tokenOf(tabs), [nested(HUGE)]);
  return { sent: { ...sent, ...(huge > 0 && { 'lists of 128 MiB': huge }) } };
}

/** Opens a tab, lets a client ask it something, and sends the messages in place of an answer. */
async function sendFrom(url: string, token: string, messages: readonly (string | Uint8Array)[]): Promise<void> {
  const socket = await openSocket(url);
  socket.on('error', () => undefined); // the server hangs up while it is sent to; `close` follows
  const closed = once(socket, 'close');
  socket.send(JSON.stringify({ ...PRESENCE, tokenHash: await hashOfToken(token) }));
  socket.ping();
  await once(socket, 'pong');
  const leaving = new AbortController();
  const headers = { Authorization: `Bearer ${token}` };
  const asked = fetch(new URL('/api/embed', url), { method: 'POST', body: '{}', headers, signal: leaving.signal });
  asked.catch(() => undefined); // it is aborted below
  await Promise.race([once(socket, 'message'), closed]);
  for (const message of messages) if (socket.readyState === WebSocket.OPEN) socket.send(message);
  socket.ping(() => undefined);
  await Promise.race([closed, once(socket, 'pong').catch(() => undefined)]);
  leaving.abort();
  socket.terminate();
  await closed;
}
