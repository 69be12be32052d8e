import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { BRIDGE_PATH, BRIDGE_SUBPROTOCOL } from '../../src/protocol/line.ts';
import { follow, GOODBYE_MS, type Tab } from './line.ts';
import { isFromOwnPage } from './origins.ts';

/** The tabs that are connected, and which of them is asked first. */
export interface Tabs {
  /** Takes the server's requests to become a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * The tabs to ask, best first: one that answers before one that was silent, then the one looked at most, then the one
   * looked at last.
   *
   * @param origin  of a foreign page: then only tabs whose user allows it
   */
  inOrder(origin: string | undefined): Tab[];
  close(): void;
}

/** An answer of a hundred full embeddings takes 8 MB. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** Why the server hangs up when it stops, as WebSocket knows it. */
const GOING_AWAY = 1001;

const RANK = { focused: 2, visible: 1, hidden: 0 };

/** Waits for tabs. */
export function createTabs(): Tabs {
  const tabs = new Set<Tab>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: () => BRIDGE_SUBPROTOCOL,
  });
  server.on('connection', (socket) => follow(socket, tabs));
  return {
    upgrade(request, socket, head) {
      const status = refusalOf(request);
      if (status === undefined)
        return server.handleUpgrade(request, socket, head, (each) => server.emit('connection', each, request));
      socket.on('error', () => socket.destroy()); // node listens no more once it is an upgrade
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    },
    inOrder: (origin) =>
      [...tabs]
        .filter(({ presence }) => origin === undefined || presence.allowedOrigins.includes(origin))
        .sort((a, b) => scoreOf(b) - scoreOf(a) || b.lastSeen - a.lastSeen),
    close() {
      for (const client of server.clients) {
        client.close(GOING_AWAY);
        setTimeout(() => client.terminate(), GOODBYE_MS).unref(); // a frozen tab never says goodbye
      }
    },
  };
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
