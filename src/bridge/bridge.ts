import type { Attention, Presence, ToTab } from '../protocol/frames/frames.ts';
import { BRIDGE_PATH, BRIDGE_SUBPROTOCOL, hashOfToken } from '../protocol/frames/line.ts';
import type { Router } from '../router/router.ts';
import { createResponder, postOrCut, type Line, type Responder } from './responder.ts';

/** What the page tells the server beside its attention. */
export type PresenceFacts = Pick<Presence, 'allowedOrigins' | 'timeoutMs'> & {
  /** It stays in the page; the server gets its hash. */
  readonly token: string;
};

/** The tab's end of the bridge. */
export interface Bridge {
  /** Tells the server after `facts` have changed. */
  refresh(): void;
  /** Closes the connection for good. */
  close(): void;
}

/** What the bridge needs; tests replace socket and window. */
export interface BridgeOptions {
  readonly router: Router;
  /** Of the page, and so of the server. */
  readonly origin: string;
  readonly facts: () => PresenceFacts;
  readonly onStatus: (status: 'connecting' | 'connected') => void;
  readonly connect?: (url: string, subprotocol: string) => Socket;
  readonly attention?: () => Attention;
}

/** The part of a `WebSocket` that is used. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close'>;

/** Runs the requests that reach the server. Reconnects as long as the page is open. */
export function openBridge(options: BridgeOptions): Bridge {
  const { router, origin, facts, onStatus } = options;
  const { connect = (url, subprotocol) => new WebSocket(url, subprotocol), attention = attentionOfPage } = options;
  let connection: Line | null = null;
  let isOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isClosed = false;
  const announce = async () => {
    const to = connection;
    if (!isOpen) return; // it is announced as soon as it opens
    const presence = await presenceOf(facts, attention);
    const isSent = to !== null && presence !== null && postOrCut(to, presence);
    if (isSent && to === connection) onStatus('connected');
  };
  const onClose = () => {
    connection = null;
    isOpen = false;
    if (isClosed) return;
    onStatus('connecting');
    failures += 1;
    timer = setTimeout(openSocket, backOffMs(failures, Math.random()));
  };
  const onOpen = () => {
    failures = 0;
    isOpen = true;
    void announce();
  };
  const responder = (line: Line) => createResponder(router, origin, line);
  const openSocket = () => {
    clearTimeout(timer);
    onStatus('connecting');
    try {
      const socket = connect(`${origin.replace(/^http/, 'ws')}${BRIDGE_PATH}`, BRIDGE_SUBPROTOCOL);
      connection = openConnection(socket, { responder, onOpen, onClose });
    } catch (error) {
      console.warn(`No connection to the local server could be opened: ${String(error)}`);
      onClose();
    }
  };
  const refresh = () => void announce();
  const onAttention = () => {
    if (connection || isClosed) refresh();
    else openSocket(); // the user looks at the page: do not wait
  };
  const stopWatching = watchAttention(onAttention);
  openSocket();
  return {
    refresh,
    close() {
      isClosed = true;
      clearTimeout(timer);
      stopWatching();
      connection?.cut('the page has ended its connection');
    },
  };
}

/** null where the token was replaced meanwhile: another call announces the new one. */
async function presenceOf(facts: () => PresenceFacts, attention: () => Attention): Promise<Presence | null> {
  const { token } = facts();
  const tokenHash = await hashOfToken(token);
  const { allowedOrigins, timeoutMs, ...now } = facts(); // what changed meanwhile; other fields are not sent
  if (now.token !== token) return null;
  return { type: 'presence', attention: attention(), allowedOrigins, timeoutMs, tokenHash };
}

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * How long to wait before the next attempt: doubling from half a second to ten, spread by a fifth, so that many tabs do not
 * come back to a restarted server in the same instant.
 *
 * @param failures  attempts that failed in a row, from 1
 * @param random    0 ≤ random < 1
 */
function backOffMs(failures: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)) * (0.9 + 0.2 * random);
}

interface ConnectionEvents {
  readonly responder: (line: Line) => Responder;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** One socket; frames posted while it is not open are dropped. */
function openConnection(socket: Socket, { responder, onOpen, onClose }: ConnectionEvents): Line {
  let isOpen = false;
  const line: Line = {
    post: (frame) => isOpen && socket.send(JSON.stringify(frame)),
    cut: () => socket.close(),
  };
  const { receive, dispose } = responder(line);
  socket.onopen = () => {
    isOpen = true;
    onOpen();
  };
  // The server that served this page checks what it sends; no one else sends on this line.
  socket.onmessage = ({ data }: MessageEvent<string>) => receive(JSON.parse(data) as ToTab);
  socket.onclose = () => {
    isOpen = false;
    dispose();
    onClose();
  };
  return line;
}

function attentionOfPage(): Attention {
  if (document.visibilityState === 'hidden') return 'hidden';
  return document.hasFocus() ? 'focused' : 'visible';
}

/** Calls back when the page's attention changes; returns a function that ends it. */
function watchAttention(onChange: () => void): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  if (typeof window === 'undefined') return () => undefined;
  for (const type of ['focus', 'blur', 'online']) window.addEventListener(type, onChange, { signal });
  document.addEventListener('visibilitychange', onChange, { signal });
  return () => watching.abort();
}
