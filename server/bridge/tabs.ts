import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  BRIDGE_PATH,
  BRIDGE_SUBPROTOCOL,
  type FromTab,
  type Presence,
  type RequestId,
  type ToTab,
} from '../../src/protocol/frames/frames.ts';
import { isFromAppPage } from '../origins.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { type BodyPieces, dividedBody } from '../../src/contract/wire/long-body.ts';
import { MAX_FRAME_BYTES, readFrame } from './read-frame.ts';

const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const MESSAGE_TOO_BIG = 1009;
const INTERNAL_ERROR = 1011;

const RANK = { focused: 2, visible: 1, hidden: 0 };

/** The bounds of all connections together, and of each. Any page of this origin and any program of this machine can open one. */
export const TABS_LIMITS = {
  maxTabs: 64,
  /** Of a message: others wait while one is read. Longer answers come in pieces. */
  maxFrameBytes: MAX_FRAME_BYTES,
  /** Of a message from a tab that has had no request: it sends only its presence. A hundred allowed origins take 30 kB. */
  maxIdleBytes: 64 * 1024,
  /** How long a tab may take to send its presence. */
  presenceMs: 10_000,
  /** Requests of one tab that are not answered. */
  maxPending: 1024,
  /** Of what one tab was sent and has not read. */
  maxUnreadBytes: 256 * 1024 * 1024,
};

type TabsLimits = typeof TABS_LIMITS;

/** Waits for tabs. @param residents  answer from the start and never leave */
export function createTabs({ maxTabs, maxFrameBytes, ...limits }: TabsLimits, residents: readonly Tab[] = []) {
  const tabs = new Set(residents);
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    allowSynchronousEvents: false, // one message of a tab at a time, then those of others
    autoPong: false,
    handleProtocols: () => BRIDGE_SUBPROTOCOL,
  });
  return {
    /** Takes the server's requests to become a WebSocket. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const isFull = server.clients.size >= maxTabs;
      const status = refusalOf(request) ?? (isFull ? '503 Service Unavailable' : undefined);
      if (status === undefined)
        return server.handleUpgrade(request, socket, head, (each) => handleConnection(each, socket, tabs, limits));
      socket.on('error', () => socket.destroy()); // node does not listen once it is an upgrade
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
    },
    isAnyConnected: () => tabs.size > 0,
    /** Whether the user of any tab allows a foreign page. */
    allow: (origin: string) => [...tabs].some((tab) => isOpenTo(tab, origin)),
    /**
     * The tabs that have a token and allow the request's foreign page, best first: those that answer before those that were
     * silent, then by attention, by the number of requests that wait for them, and by when they were last in view.
     */
    ranked: ({ tokenHash, origin }: { readonly tokenHash: string; readonly origin: string | undefined }): Tab[] =>
      [...tabs]
        .filter((tab) => hasToken(tab, tokenHash) && (origin === undefined || isOpenTo(tab, origin)))
        .sort((a, b) => scoreOf(b) - scoreOf(a) || a.pending - b.pending || b.lastSeen - a.lastSeen),
    close() {
      for (const client of server.clients) {
        client.close(GOING_AWAY);
        setTimeout(() => client.terminate(), CLOSE_TIMEOUT_MS).unref(); // a frozen tab does not close
      }
    },
  };
}

function isOpenTo({ presence }: Tab, origin: string): boolean {
  return presence.allowedOrigins.includes(origin);
}

/** Takes the same time wherever two hashes differ, so that none can be guessed byte by byte. */
function hasToken({ presence }: Tab, tokenHash: string): boolean {
  return timingSafeEqual(Buffer.from(presence.tokenHash ?? '', 'hex'), Buffer.from(tokenHash, 'hex'));
}

function scoreOf({ isSilent, presence }: Tab): number {
  return isSilent ? -1 : RANK[presence.attention];
}

/** Why a request may not become a connection, as a status line; undefined when it may. */
function refusalOf(request: IncomingMessage): string | undefined {
  if (request.url !== BRIDGE_PATH) return '404 Not Found';
  if (!isFromAppPage(request)) return '403 Forbidden';
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.includes(BRIDGE_SUBPROTOCOL) ? undefined : '426 Upgrade Required';
}

/** Frames that answer nothing: presence, pings, and replies to a request that was cancelled. */
const IDLE_FRAMES = { burst: 2000, perSecond: 200 };

/** How long a socket may take to close. */
const CLOSE_TIMEOUT_MS = 500;

/** A WebSocket's reason has at most 123 bytes; a character that is cut in two becomes one of three bytes. */
const MAX_REASON_BYTES = 120;

/** One tab from its connection to its end. @param raw  shows how much of a message has come before it is whole */
function handleConnection(
  socket: WebSocket,
  raw: Duplex,
  tabs: Set<Tab>,
  limits: Omit<TabsLimits, 'maxTabs' | 'maxFrameBytes'>,
): void {
  let connected: ReturnType<typeof createTab> | null = null;
  const end = createEnd(socket, () => {
    clearTimeout(presenceTimeout);
    if (connected) tabs.delete(connected.tab);
    connected?.disconnect();
  });
  const onLate = () => end.cut(POLICY_VIOLATION, `expected presence within ${limits.presenceMs / 1000} s`);
  const presenceTimeout = setTimeout(onLate, limits.presenceMs).unref();
  const takeIdleToken = createIdleLimiter(end);
  const onPresence = (presence: Presence) => {
    if (!takeIdleToken()) return;
    clearTimeout(presenceTimeout);
    connected ??= createTab(socket, presence, limits);
    connected.updatePresence(presence);
    tabs.add(connected.tab);
  };
  const onFrame = (frame: FromTab) => {
    if (connected) connected.tab.isSilent = false;
    if (frame.type === 'presence') return onPresence(frame);
    const taken = connected?.receive(frame) ?? 'idle';
    if (taken === 'idle') takeIdleToken();
    else if (taken !== 'taken') end.cut(POLICY_VIOLATION, taken.problem);
  };
  const message = watchMessageSize(raw, (unfinishedBytes) => {
    if (end.isCut) raw.destroy(); // it was told to stop
    else if (!connected?.hasRequests && unfinishedBytes > limits.maxIdleBytes)
      end.cut(MESSAGE_TOO_BIG, `expected at most ${limits.maxIdleBytes} bytes from a tab that was asked nothing`);
  });
  socket.on('message', (data, isBinary) => {
    message.end();
    if (!end.isCut) read(isBinary ? null : String(data), onFrame, end);
  });
  socket.on('ping', (data) => {
    message.end();
    // `ws` by itself would hold an answer to each, whether or not it is read.
    if (takeIdleToken() && socket.bufferedAmount === 0) socket.pong(data);
  });
  socket.on('pong', takeIdleToken);
  socket.on('error', () => socket.terminate()); // a broken or oversized message; `close` follows
  socket.on('close', end.lose);
}

/** @param text  null for a message of bytes */
function read(text: string | null, onFrame: (frame: FromTab) => void, end: End): void {
  const frame = text === null ? 'expected text' : readFrame(text);
  if (typeof frame === 'string') return end.cut(POLICY_VIOLATION, frame);
  try {
    onFrame(frame);
  } catch (error) {
    console.error(error); // a defect of ours: it costs this tab its connection, not all others the server
    end.cut(INTERNAL_ERROR, 'the frame could not be handled');
  }
}

type End = ReturnType<typeof createEnd>;

/** How a connection ends: by itself, or cut with a reason. */
function createEnd(socket: WebSocket, lose: () => void) {
  let isCut = false;
  return {
    lose,
    get isCut() {
      return isCut;
    },
    cut(code: number, reason: string) {
      isCut = true;
      socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString());
      setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
      lose(); // at once: a tab that breaks the rules may be slow to close
    },
  };
}

/** Counts frames that answer nothing; false when there are too many, or the connection is cut. */
function createIdleLimiter(end: End): () => boolean {
  const mayPass = createRateLimiter(IDLE_FRAMES);
  return () => {
    if (!end.isCut && !mayPass())
      end.cut(POLICY_VIOLATION, `expected at most ${IDLE_FRAMES.perSecond} frames per second that answer nothing`);
    return !end.isCut;
  };
}

/** Reports, before a chunk is read, how much of an unfinished message has come. */
function watchMessageSize(raw: Duplex, onChunk: (unfinishedBytes: number) => void): { end(): void } {
  let unfinishedBytes = 0;
  raw.prependListener('data', (chunk: Buffer) => {
    unfinishedBytes += chunk.length;
    onChunk(unfinishedBytes);
  });
  return { end: () => void (unfinishedBytes = 0) };
}

type Reply = Exclude<FromTab, { type: 'presence' }>;

/** A request for a tab. */
export interface RequestForTab extends Omit<Extract<ToTab, { type: 'request' }>, 'type' | 'id' | 'body' | 'parts'> {
  /** null for a method that has none. */
  readonly body: BodyPieces | null;
}

interface ReplyListener {
  onReply(reply: Reply): void;
  onLost(): void;
}

/** A tab that is connected and has sent its presence. */
export interface Tab {
  readonly presence: Presence;
  /** A counter instead of a clock: no two tabs have the same. */
  readonly lastSeen: number;
  /** Its unanswered requests. */
  readonly pending: number;
  /** It has as many unanswered requests, or as much unread, as one tab may. */
  readonly isFull: boolean;
  /** It has not accepted a request in time, and has sent nothing since. */
  isSilent: boolean;
  /** `listener` gets replies in the order that `src/protocol/frames/frames.ts` gives. */
  request(request: RequestForTab, listener: ReplyListener): { cancel(): void };
}

const FINAL_TYPES: ReadonlySet<Reply['type']> = new Set(['answer', 'end', 'broken']);
const AFTER_BEGIN: ReadonlySet<Reply['type']> = new Set(['chunk', 'end']);

let lastSeenCounter = 0;

type TabSocket = Pick<WebSocket, 'bufferedAmount'> & { send(text: string, onWritten: () => void): void };

/** Sends a frame. Resolves when it is written, or never will be: a lost socket says so by `close`. */
function written(socket: TabSocket, frame: ToTab): Promise<void> {
  return new Promise((resolve) => socket.send(JSON.stringify(frame), resolve));
}

/** One after another, each when the one before is written: all at once would keep others waiting. */
async function sendParts(parts: BodyPieces, send: (text: string) => unknown): Promise<void> {
  for (const text of parts) await send(text);
}

/** What is wrong with a reply in its place; undefined: nothing. */
function orderProblem({ type, id }: Reply, hasBegun: boolean): string | undefined {
  if (type === 'broken' || AFTER_BEGIN.has(type) === hasBegun) return undefined;
  return `${type} ${id}: expected ${hasBegun ? 'not after' : 'after'} "begin"`;
}

/** A tab at the other end of a socket, not seen yet. */
export function createTab(
  socket: TabSocket,
  presence: Presence,
  { maxPending, maxUnreadBytes }: Pick<TabsLimits, 'maxPending' | 'maxUnreadBytes'>,
) {
  // `parts` are of a long body, sent once the tab has accepted the request.
  const waiting = new Map<RequestId, { readonly listener: ReplyListener; hasBegun: boolean; parts: BodyPieces }>();
  let lastId = 0;
  const send = (frame: ToTab) => written(socket, frame);
  const tab: { -readonly [Key in keyof Tab]: Tab[Key] } = {
    presence,
    lastSeen: 0,
    isSilent: false,
    get pending() {
      return waiting.size;
    },
    get isFull() {
      return waiting.size >= maxPending || socket.bufferedAmount > maxUnreadBytes;
    },
    request({ body, ...head }, listener) {
      const id = (lastId += 1);
      const { inRequest, parts } = body === null ? { inRequest: { body }, parts: [] } : dividedBody(body);
      waiting.set(id, { listener, hasBegun: false, parts });
      void send({ type: 'request', id, ...head, ...inRequest });
      return { cancel: () => void (waiting.delete(id) && send({ type: 'cancel', id })) };
    },
  };
  return {
    tab,
    /** Whether it has ever had a request, so that it may have something to answer. */
    get hasRequests() {
      return lastId > 0;
    },
    updatePresence(now: Presence) {
      if (tab.lastSeen === 0 || now.attention !== 'hidden') tab.lastSeen = lastSeenCounter += 1;
      tab.presence = now;
    },
    /** Passes a reply to the listener of its request. @returns `idle` when it was cancelled or has its response; else what is wrong with the order */
    receive(reply: Reply): 'taken' | 'idle' | { readonly problem: string } {
      const request = waiting.get(reply.id);
      if (request === undefined) return 'idle';
      const problem = orderProblem(reply, request.hasBegun);
      if (problem !== undefined) return { problem };
      if (reply.type === 'begin') request.hasBegun = true;
      if (reply.type === 'accepted') {
        void sendParts(request.parts, (text) => waiting.has(reply.id) && send({ type: 'part', id: reply.id, text }));
        request.parts = [];
      }
      if (FINAL_TYPES.has(reply.type)) waiting.delete(reply.id);
      request.listener.onReply(reply);
      return 'taken';
    },
    disconnect() {
      const lost = [...waiting.values()];
      waiting.clear();
      for (const { listener } of lost) listener.onLost();
    },
  };
}
