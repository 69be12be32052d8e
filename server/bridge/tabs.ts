import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { BRIDGE_PATH, BRIDGE_SUBPROTOCOL } from '../../src/protocol/frames/line.ts';
import { isFromOwnPage } from '../origins.ts';
import { follow, GOODBYE_MS, type LineLimits } from './line.ts';
import type { Tab } from './tab.ts';

/** Who asks: a request is for those tabs alone that have its token, and whose user lets its page in. */
export interface Asker {
  /** `hashOfToken` of the request's token. */
  readonly tokenHash: string;
  /** Of a foreign page. */
  readonly origin: string | undefined;
}

/** The bounds of all lines together, and of each. */
export interface TabsLimits extends LineLimits {
  /** Lines at the same time. */
  readonly maxTabs: number;
  /** Of a message from a tab that was asked something. */
  readonly maxFrameBytes: number;
}

/** The tabs that are connected, and which of them is asked first. */
export interface Tabs {
  /** Takes the server's requests to become a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Whether any tab is there. */
  areThere(): boolean;
  /** Whether the user of any tab lets a foreign page in. */
  allow(origin: string): boolean;
  /**
   * The tabs to ask, best first: one that answers before one that was silent, then the one looked at most, then the one
   * looked at last.
   */
  inOrder(asker: Asker): Tab[];
  close(): void;
}

/** Why the server hangs up when it stops, as WebSocket knows it. */
const GOING_AWAY = 1001;

const RANK = { focused: 2, visible: 1, hidden: 0 };

/** Waits for tabs. */
export function createTabs({ maxTabs, maxFrameBytes, ...limits }: TabsLimits): Tabs {
  const tabs = new Set<Tab>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    autoPong: false,
    handleProtocols: () => BRIDGE_SUBPROTOCOL,
  });
  return {
    upgrade(request, socket, head) {
      const isCrowded = server.clients.size >= maxTabs;
      const status = refusalOf(request) ?? (isCrowded ? '503 Service Unavailable' : undefined);
      if (status === undefined)
        return server.handleUpgrade(request, socket, head, (each) => follow(each, socket, tabs, limits));
      socket.on('error', () => socket.destroy()); // node listens no more once it is an upgrade
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
    },
    areThere: () => tabs.size > 0,
    allow: (origin) => [...tabs].some((tab) => isOpenTo(tab, origin)),
    inOrder: ({ tokenHash, origin }) =>
      [...tabs]
        .filter((tab) => hasToken(tab, tokenHash) && (origin === undefined || isOpenTo(tab, origin)))
        .sort((a, b) => scoreOf(b) - scoreOf(a) || b.lastSeen - a.lastSeen),
    close() {
      for (const client of server.clients) {
        client.close(GOING_AWAY);
        setTimeout(() => client.terminate(), GOODBYE_MS).unref(); // a frozen tab never says goodbye
      }
    },
  };
}

function isOpenTo({ presence }: Tab, origin: string): boolean {
  return presence.allowedOrigins.includes(origin);
}

/** Takes the same time wherever two hashes differ: who could learn one bit by bit could show it as his own. */
function hasToken({ presence }: Tab, tokenHash: string): boolean {
  return timingSafeEqual(Buffer.from(presence.tokenHash ?? '', 'hex'), Buffer.from(tokenHash, 'hex'));
}

function scoreOf({ isSilent, presence }: Tab): number {
  return isSilent ? -1 : RANK[presence.attention];
}

/** Why a request may not become a tab's line, as a status line; undefined when it may. */
function refusalOf(request: IncomingMessage): string | undefined {
  if (request.url !== BRIDGE_PATH) return '404 Not Found';
  if (!isFromOwnPage(request)) return '403 Forbidden';
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.includes(BRIDGE_SUBPROTOCOL) ? undefined : '426 Upgrade Required';
}
