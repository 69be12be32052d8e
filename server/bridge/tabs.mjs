// @ts-check
import { WebSocketServer } from 'ws';
import { isFromOwnPage } from './origins.mjs';
import { PATH, SUBPROTOCOL, readFrame } from './line.mjs';

/**
 * The tabs that are connected, and which of them is asked first.
 *
 * @typedef {import('./line.mjs').FromTab} FromTab
 * @typedef {import('./line.mjs').ToTab} ToTab
 * @typedef {Exclude<FromTab, { type: 'presence' }>} Reply
 * @typedef {{ onReply: (reply: Reply) => void, onLost: () => void }} Listener  of one request at one tab
 * @typedef {{
 *   presence: import('../../src/protocol/frames.ts').Presence,
 *   lastSeen: number,
 *   isSilent: boolean,
 *   ask: (request: Omit<Extract<ToTab, { type: 'request' }>, 'type' | 'id'>, listener: Listener) => { cancel: () => void },
 * }} Tab  `isSilent`: it has let a request lie, and has said nothing since
 */

/** An answer of a hundred full embeddings takes 8 MB. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** Reasons to hang up, as WebSocket knows them. */
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;
const GOODBYE_MS = 500;

const RANK = { focused: 2, visible: 1, hidden: 0 };

/** Waits for tabs; `upgrade` takes the server's requests to become a WebSocket. */
export function createTabs() {
  const tabs = /** @type {Set<Tab>} */ (new Set());
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: () => SUBPROTOCOL,
  });
  server.on('connection', (socket) => follow(socket, tabs));
  return {
    /** @type {(request: import('node:http').IncomingMessage, socket: import('node:stream').Duplex, head: Buffer) => void} */
    upgrade(request, socket, head) {
      const status = refusalOf(request);
      if (status !== undefined) return void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
      server.handleUpgrade(request, socket, head, (webSocket) => server.emit('connection', webSocket, request));
    },
    /**
     * The tabs to ask, best first: one that answers before one that was silent, then the one looked at most, then the one
     * looked at last.
     *
     * @param {string | undefined} origin  of a foreign page: then only tabs whose user allows it
     * @returns {Tab[]}
     */
    inOrder(origin) {
      return [...tabs]
        .filter(({ presence }) => origin === undefined || presence.allowedOrigins.includes(origin))
        .sort((a, b) => scoreOf(b) - scoreOf(a) || b.lastSeen - a.lastSeen);
    },
    close() {
      for (const client of server.clients) {
        client.close(GOING_AWAY);
        setTimeout(() => client.terminate(), GOODBYE_MS).unref(); // a frozen tab never says goodbye
      }
    },
  };
}

/** @param {Tab} tab */
function scoreOf({ isSilent, presence }) {
  return isSilent ? -1 : RANK[presence.attention];
}

/** Counts instead of a clock: two looks never fall together. */
let looks = 0;

/**
 * One tab from its connection to its end. It counts as one when it has said what it is.
 *
 * @param {import('ws').WebSocket} socket
 * @param {Set<Tab>} tabs
 */
function follow(socket, tabs) {
  const listeners = /** @type {Map<number, Listener>} */ (new Map());
  const tab = /** @type {Partial<Tab>} */ ({ isSilent: false, ask: askOver(socket, listeners) });
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : readFrame(String(data));
    if (frame === undefined) return socket.close(POLICY_VIOLATION, 'expected a frame of this bridge');
    tab.isSilent = false;
    if (frame.type !== 'presence') return listeners.get(frame.id)?.onReply(frame);
    if (tab.presence === undefined || frame.attention !== 'hidden') tab.lastSeen = looks += 1;
    tab.presence = frame;
    tabs.add(/** @type {Tab} */ (tab));
  });
  socket.on('error', () => socket.terminate()); // a broken or oversized message; `close` follows
  socket.on('close', () => {
    tabs.delete(/** @type {Tab} */ (tab));
    for (const { onLost } of listeners.values()) onLost();
  });
}

/**
 * @param {import('ws').WebSocket} socket
 * @param {Map<number, Listener>} listeners
 * @returns {Tab['ask']}
 */
function askOver(socket, listeners) {
  let lastId = 0;
  const send = (/** @type {ToTab} */ frame) => socket.send(JSON.stringify(frame), () => undefined); // a lost socket says so by `close`
  return (request, listener) => {
    const id = (lastId += 1);
    const forget = () => listeners.delete(id);
    listeners.set(id, {
      onLost: listener.onLost,
      onReply(reply) {
        if (reply.type === 'answer' || reply.type === 'end' || reply.type === 'broken') forget();
        listener.onReply(reply);
      },
    });
    send({ type: 'request', id, ...request });
    return {
      cancel() {
        if (forget()) send({ type: 'cancel', id });
      },
    };
  };
}

/**
 * Why a request may not become a tab's line, as a status line; undefined when it may.
 *
 * @param {import('node:http').IncomingMessage} request
 */
function refusalOf(request) {
  if (request.url !== PATH) return '404 Not Found';
  if (!isFromOwnPage(request)) return '403 Forbidden';
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.includes(SUBPROTOCOL) ? undefined : '426 Upgrade Required';
}
