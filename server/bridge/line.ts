import type { WebSocket } from 'ws';
import type { FromTab, Presence, RequestId, ToTab } from '../../src/protocol/frames.ts';
import { mayFollow, readFrame, type Phase } from './frame.ts';

/** What a tab says about one request. */
export type Reply = Exclude<FromTab, { type: 'presence' }>;

/** A request as it is handed to a tab. */
export type Asked = Omit<Extract<ToTab, { type: 'request' }>, 'type' | 'id'>;

/** Who waits for the answer to one request at one tab. Told in the order that `src/protocol/frames.ts` gives. */
export interface Listener {
  onReply(reply: Reply): void;
  onLost(): void;
}

/** A tab that is connected and has said what it is. */
export interface Tab {
  readonly presence: Presence;
  /** Counts instead of a clock: two looks never fall together. */
  readonly lastSeen: number;
  /** It has let a request lie, and has said nothing since. */
  isSilent: boolean;
  ask(request: Asked, listener: Listener): { cancel(): void };
}

/** Reasons to hang up, as WebSocket knows them. */
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;

/** How long a socket that is closed may take to say goodbye. */
export const GOODBYE_MS = 500;

/** A WebSocket's reason has at most 123 bytes; a character that is cut in two becomes one of three bytes. */
const MAX_REASON_BYTES = 120;

let looks = 0;

/** One tab from its connection to its end; it is in `tabs` from when it has said what it is. */
export function follow(socket: WebSocket, tabs: Set<Tab>): void {
  const waiting = new Map<RequestId, Waiting>();
  let tab: { -readonly [Key in keyof Tab]: Tab[Key] } | null = null;
  let isCut = false;
  const lose = () => {
    if (tab) tabs.delete(tab);
    const lost = [...waiting.values()];
    waiting.clear();
    for (const { listener } of lost) listener.onLost();
  };
  const cut = (code: number, reason: string) => {
    isCut = true;
    socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString());
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
    lose(); // at once: a tab that breaks the rules may take its time to hang up
  };
  const onPresence = (presence: Presence) => {
    tab ??= { presence, lastSeen: 0, isSilent: false, ask: askOver(socket, waiting) };
    if (tab.lastSeen === 0 || presence.attention !== 'hidden') tab.lastSeen = looks += 1;
    tab.presence = presence;
    tabs.add(tab);
  };
  const onFrame = (frame: FromTab) => {
    if (tab) tab.isSilent = false;
    if (frame.type === 'presence') return onPresence(frame);
    const request = waiting.get(frame.id);
    if (request === undefined) return; // nobody waits any more: it was cancelled, or has its response
    if (!mayFollow(frame.type, request.phase)) return cut(POLICY_VIOLATION, outOfOrder(frame, request.phase));
    if (frame.type === 'begin') request.phase = 'begun';
    if (frame.type === 'answer' || frame.type === 'end' || frame.type === 'broken') waiting.delete(frame.id);
    request.listener.onReply(frame);
  };
  socket.on('message', (data, isBinary) => {
    if (isCut) return;
    const read = isBinary ? { ok: false as const, reason: 'expected text' } : readFrame(String(data));
    if (!read.ok) return cut(POLICY_VIOLATION, read.reason);
    try {
      onFrame(read.frame);
    } catch (error) {
      console.error(error); // a defect of ours: it costs this tab its line, not everybody the server
      cut(INTERNAL_ERROR, 'the frame could not be handled');
    }
  });
  socket.on('error', () => socket.terminate()); // a broken or oversized message; `close` follows
  socket.on('close', lose);
}

interface Waiting {
  readonly listener: Listener;
  phase: Phase;
}

function outOfOrder({ type, id }: Reply, phase: Phase): string {
  return `${type} ${id}: expected ${phase === 'asked' ? 'after' : 'not after'} "begin"`;
}

function askOver(socket: WebSocket, waiting: Map<RequestId, Waiting>): Tab['ask'] {
  let lastId = 0;
  const send = (frame: ToTab) => socket.send(JSON.stringify(frame), () => undefined); // a lost socket says so by `close`
  return (request, listener) => {
    const id = (lastId += 1);
    waiting.set(id, { listener, phase: 'asked' });
    send({ type: 'request', id, ...request });
    return {
      cancel() {
        if (waiting.delete(id)) send({ type: 'cancel', id });
      },
    };
  };
}
