import {
  type Attention,
  BRIDGE_ANNOUNCEMENT,
  BRIDGE_PATH,
  BRIDGE_SUBPROTOCOL,
  type FromTab,
  hashOfToken,
  type Presence,
  type ToTab,
} from '../protocol/frames/frames.ts';
import { serverTimingHas } from './server-timing.ts';
import type { Router } from '../router/router.ts';
import { findOriginOccupants } from './origin-occupants.ts';
import type { OriginOccupant } from '../protocol/page/privacy-facts.ts';
import { isolationState, serviceWorkerScript } from './isolation.ts';
import { createResponder, type FrameChannel, postOrCut } from './responder.ts';

/** Facts of the page that the server gets with its attention. The token stays in the page; the server gets its hash. */
interface PresenceFacts extends Pick<Presence, 'allowedOrigins' | 'timeoutMs'> {
  readonly token: string;
}

type ServiceWorkerStatus = 'absent' | 'starting' | 'active' | 'failed';

/** The transports from outside the page. */
export interface Transports {
  /** Call after `facts` have changed. */
  refresh(): void;
}

/** Opens the transports to the page's router that this page and its server allow. */
export function openTransports(options: {
  readonly router: Router;
  readonly origin: string;
  readonly facts: () => PresenceFacts;
  /** `absent` where the page's server has no bridge. */
  readonly onBridge: (status: 'absent' | 'connecting' | 'connected') => void;
  readonly onServiceWorker: (status: ServiceWorkerStatus, reason?: string) => void;
  /** Called once with what else uses the page's origin. */
  readonly onOccupants: (occupants: readonly OriginOccupant[]) => void;
}): Transports {
  const { router, origin, facts, onBridge, onServiceWorker, onOccupants } = options;
  void findOriginOccupants().then(onOccupants);
  // Development serves the worker's source elsewhere.
  if (import.meta.env.PROD)
    void startServiceWorker({ router, origin, timeoutMs: () => facts().timeoutMs, onStatus: onServiceWorker });
  else onServiceWorker('absent');
  // The server serves its bridge and its page at the root; a page below a proxy's path cannot reach it.
  if (!serverTimingHas(BRIDGE_ANNOUNCEMENT) || new URL('.', document.baseURI).pathname !== '/') {
    onBridge('absent');
    return { refresh: () => undefined };
  }
  return openBridge({ router, origin, facts, onStatus: onBridge });
}

/** The tab's end of the bridge. */
export interface Bridge extends Transports {
  close(): void;
}

/** The part of a `WebSocket` that is used. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close'>;

interface BridgeOptions {
  readonly router: Router;
  /** Of the page, and so of the server. */
  readonly origin: string;
  readonly facts: () => PresenceFacts;
  readonly onStatus: (status: 'connecting' | 'connected') => void;
  /** Tests replace socket and window. */
  readonly connect?: (url: string, subprotocol: string) => Socket;
  readonly attention?: () => Attention;
}

/** Runs the requests that reach the server. Reconnects as long as the page is open. */
export function openBridge(options: BridgeOptions): Bridge {
  const { router, origin, facts, onStatus } = options;
  const { connect = (url, subprotocol) => new WebSocket(url, subprotocol), attention = attentionOfPage } = options;
  let connection: FrameChannel | null = null;
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
  const responder = (channel: FrameChannel) => createResponder(router, origin, channel);
  const openSocket = () => {
    clearTimeout(timer);
    onStatus('connecting');
    try {
      const socket = connect(`${origin.replace(/^http/, 'ws')}${BRIDGE_PATH}`, BRIDGE_SUBPROTOCOL);
      connection = openConnection(socket, responder, onOpen, onClose);
    } catch (error) {
      console.warn(`No connection to the local server could be opened: ${String(error)}`);
      onClose();
    }
  };
  const refresh = () => void announce();
  const stopWatching = watchAttention(() => {
    if (connection || isClosed) refresh();
    else openSocket(); // the user looks at the page: do not wait
  });
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

/** null where the token has been replaced: another call announces the new one. */
async function presenceOf(facts: () => PresenceFacts, attention: () => Attention): Promise<Presence | null> {
  const { token } = facts();
  const tokenHash = await hashOfToken(token);
  const { allowedOrigins, timeoutMs, ...now } = facts(); // as they are now; other fields are not sent
  if (now.token !== token) return null;
  return { type: 'presence', attention: attention(), allowedOrigins, timeoutMs, tokenHash };
}

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * How long to wait before the next attempt: doubling from half a second to ten, varied by a tenth, so that many tabs do not
 * return to a restarted server at once.
 *
 * @param failures  attempts that failed in a row, from 1
 * @param random    0 ≤ random < 1
 */
function backOffMs(failures: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)) * (0.9 + 0.2 * random);
}

/** One socket; frames posted while it is not open are dropped. */
function openConnection(
  socket: Socket,
  responder: (channel: FrameChannel) => ReturnType<typeof createResponder>,
  onOpen: () => void,
  onClose: () => void,
): FrameChannel {
  let isOpen = false;
  const channel: FrameChannel = {
    post: (frame) => isOpen && socket.send(JSON.stringify(frame)),
    cut: () => socket.close(),
  };
  const { receive, dispose } = responder(channel);
  socket.onopen = () => {
    isOpen = true;
    onOpen();
  };
  // Only the server of this page sends here, and it checks what it sends.
  socket.onmessage = ({ data }: MessageEvent<string>) => receive(JSON.parse(data) as ToTab);
  socket.onclose = () => {
    isOpen = false;
    dispose();
    onClose();
  };
  return channel;
}

function attentionOfPage(): Attention {
  if (document.visibilityState === 'hidden') return 'hidden';
  return document.hasFocus() ? 'focused' : 'visible';
}

/** Calls back when the page's attention changes; returns a function that ends that. */
function watchAttention(onChange: () => void): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  if (typeof window === 'undefined') return () => undefined;
  for (const type of ['focus', 'blur', 'online']) window.addEventListener(type, onChange, { signal });
  document.addEventListener('visibilitychange', onChange, { signal });
  return () => watching.abort();
}

/** A tab as the service worker knows it; it chooses tabs in its own order. */
const PRESENCE = { type: 'presence', attention: 'visible', allowedOrigins: [], tokenHash: null } as const;

/** Starts the service worker and answers the requests that it passes on. The page works without it. */
export async function startServiceWorker(options: {
  readonly router: Router;
  readonly origin: string;
  readonly timeoutMs: () => number;
  /** `absent` where the browser or the address allows none. */
  readonly onStatus: (status: ServiceWorkerStatus, reason?: string) => void;
  readonly container?: Pick<ServiceWorkerContainer, 'register' | 'ready' | 'onmessage'> | undefined;
}): Promise<void> {
  const { router, origin, timeoutMs, onStatus, container = navigator.serviceWorker } = options;
  // Undefined outside secure contexts, whatever its type says.
  if (!(container as typeof container | undefined)) return onStatus('absent');
  onStatus('starting');
  container.onmessage = ({ data, source, ports: [port] }: MessageEvent<ToTab>) => {
    if (!port) return;
    const channel: FrameChannel = {
      post: (frame) => port.postMessage(frame),
      // The service worker sends it on the port, which it gets back.
      cut: (reason) =>
        source?.postMessage({ type: 'broken', id: data.id, reason } satisfies FromTab, { transfer: [port] }),
    };
    const { receive } = createResponder(router, origin, channel);
    port.onmessage = (event: MessageEvent<ToTab>) => receive(event.data);
    if (postOrCut(channel, { ...PRESENCE, timeoutMs: timeoutMs() })) receive(data);
  };
  try {
    await container.register(serviceWorkerScript(isolationState()));
    await container.ready;
    onStatus('active');
  } catch (error) {
    onStatus('failed', error instanceof Error ? error.message : String(error));
  }
}
