import type { FromTab, Presence, RequestId, ToTab } from '../../src/protocol/frames/frames.ts';
import { divided, type BodyPieces } from '../../src/contract/wire/long-body.ts';
import { mayFollow, type Phase } from './frame.ts';

/** What a tab says about one request. */
export type Reply = Exclude<FromTab, { type: 'presence' }>;

/** A request as it is handed to a tab. */
export type Asked = Omit<Extract<ToTab, { type: 'request' }>, 'type' | 'id' | 'parts'>;

/** Who waits for the answer to one request at one tab. Told in the order that `src/protocol/frames/frames.ts` gives. */
export interface Listener {
  onReply(reply: Reply): void;
  onLost(): void;
}

/** A tab that is connected and has said what it is. */
export interface Tab {
  readonly presence: Presence;
  /** Counts instead of a clock: two looks never fall together. */
  readonly lastSeen: number;
  /** It owes as many answers, or has left as much unread, as one tab may. */
  readonly isFull: boolean;
  /** It has let a request lie, and has said nothing since. */
  isSilent: boolean;
  ask(request: Asked, listener: Listener): { cancel(): void };
}

/** What one tab may owe. */
export interface TabLimits {
  /** Answers. */
  readonly maxOwed: number;
  /** Of what it was sent and has not read. */
  readonly maxUnreadBytes: number;
}

/** A tab as its line sees it. */
export interface FollowedTab {
  readonly tab: Tab;
  /** Whether it was ever asked anything, so that it may have something to answer. */
  readonly wasAsked: boolean;
  see(presence: Presence): void;
  /**
   * Hands a reply to whoever waits for it.
   *
   * @returns `idle` when nobody does any more: it was cancelled, or has its response; else what is wrong with the order
   */
  take(reply: Reply): 'taken' | 'idle' | { readonly problem: string };
  /** Its line is gone. */
  lose(): void;
}

/** The part of a WebSocket that is used. */
interface Sender {
  readonly bufferedAmount: number;
  send(text: string, onError: () => void): void;
}

interface Waiting {
  readonly listener: Listener;
  phase: Phase;
  /** Of a long body, to be sent once the tab has accepted the request. */
  parts: BodyPieces;
}

const ENDS: ReadonlySet<Reply['type']> = new Set(['answer', 'end', 'broken']);

let looks = 0;

/** A tab behind a socket. It was not seen yet. */
export function createTab(socket: Sender, presence: Presence, { maxOwed, maxUnreadBytes }: TabLimits): FollowedTab {
  const waiting = new Map<RequestId, Waiting>();
  let lastId = 0;
  const send = (frame: ToTab) => socket.send(JSON.stringify(frame), () => undefined); // a lost socket says so by `close`
  const tab: { -readonly [Key in keyof Tab]: Tab[Key] } = {
    ...{ presence, lastSeen: 0, isSilent: false },
    get isFull() {
      return waiting.size >= maxOwed || socket.bufferedAmount > maxUnreadBytes;
    },
    ask(request, listener) {
      const id = (lastId += 1);
      const { inRequest, parts } = divided(request.body);
      waiting.set(id, { listener, phase: 'asked', parts });
      send({ type: 'request', id, ...request, ...inRequest });
      return { cancel: () => void (waiting.delete(id) && send({ type: 'cancel', id })) };
    },
  };
  return {
    tab,
    get wasAsked() {
      return lastId > 0;
    },
    see(now) {
      if (tab.lastSeen === 0 || now.attention !== 'hidden') tab.lastSeen = looks += 1;
      tab.presence = now;
    },
    take(reply) {
      const request = waiting.get(reply.id);
      if (request === undefined) return 'idle';
      if (!mayFollow(reply.type, request.phase)) return { problem: outOfOrder(reply, request.phase) };
      if (reply.type === 'begin') request.phase = 'begun';
      if (reply.type === 'accepted') {
        for (const text of request.parts) send({ type: 'part', id: reply.id, text });
        request.parts = [];
      }
      if (ENDS.has(reply.type)) waiting.delete(reply.id);
      request.listener.onReply(reply);
      return 'taken';
    },
    lose() {
      const lost = [...waiting.values()];
      waiting.clear();
      for (const { listener } of lost) listener.onLost();
    },
  };
}

function outOfOrder({ type, id }: Reply, phase: Phase): string {
  return `${type} ${id}: expected ${phase === 'asked' ? 'after' : 'not after'} "begin"`;
}
