import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  BRIDGE_PATH,
  BRIDGE_SUBPROTOCOL,
  type FromTab,
  hashOfToken,
  type Presence,
  type ToTab,
} from '../../../src/protocol/frames/frames.ts';

/** A request as a tab receives it. */
export type TabRequest = Extract<ToTab, { type: 'request' }>;

/** The other end of the bridge, played by a test. */
export interface FakeTab {
  /** All that came, in order. */
  readonly received: readonly ToTab[];
  send(frame: FromTab): void;
  say(change: Partial<Presence>): Promise<void>;
  /** The next request; it is accepted, and answered with what `answer` says, where one is given. */
  request(answer?: { status?: number; headers?: Record<string, string>; body: string }): Promise<TabRequest>;
  /** The next frame of the kind. */
  next<Type extends ToTab['type']>(type: Type): Promise<Extract<ToTab, { type: Type }>>;
  /** Goes away, as a tab that is closed. */
  close(): Promise<void>;
}

/** The token of every fake tab that shows no other hash, and the header that carries it. */
export const TOKEN = '0123456789abcdef'.repeat(4);
export const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };

/** What a fake tab says of itself. */
export const PRESENCE: Presence = {
  type: 'presence',
  attention: 'visible',
  allowedOrigins: [],
  timeoutMs: 5000,
  tokenHash: await hashOfToken(TOKEN),
};

/** The socket of a tab at the server of that address; rejects when it is refused. */
export async function openSocket(
  url: string,
  {
    origin = url.replace(/\/$/, ''),
    subprotocol = BRIDGE_SUBPROTOCOL,
    host,
  }: { origin?: string; subprotocol?: string; host?: string } = {},
): Promise<WebSocket> {
  const options = { origin, ...(host !== undefined && { headers: { Host: host } }) };
  const socket = new WebSocket(new URL(BRIDGE_PATH, url.replace('http', 'ws')), subprotocol, options);
  await once(socket, 'open');
  return socket;
}

/** A tab that is connected and known to the server. */
export async function openTab(url: string, presence: Partial<Presence> = {}): Promise<FakeTab> {
  const socket = await openSocket(url);
  const received: ToTab[] = [];
  const taken = new Set<ToTab>();
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as ToTab));
  const send = (frame: FromTab): void => socket.send(JSON.stringify(frame));
  // The server reads in order, so when it answers a ping it has read all that came before.
  const settled = async (): Promise<void> => {
    socket.ping();
    await once(socket, 'pong');
  };
  const next = async <Type extends ToTab['type']>(type: Type): Promise<Extract<ToTab, { type: Type }>> => {
    for (;;) {
      const found = received.find((frame) => frame.type === type && !taken.has(frame));
      if (found) {
        taken.add(found);
        return found as Extract<ToTab, { type: Type }>;
      }
      await once(socket, 'message');
    }
  };
  const say = async (change: Partial<Presence>): Promise<void> => {
    send({ ...PRESENCE, ...presence, ...change });
    await settled();
  };
  await say({});
  return {
    received,
    send,
    say,
    next,
    async request(answer) {
      const request = await next('request');
      send({ type: 'accepted', id: request.id });
      if (answer)
        send({
          type: 'answer',
          id: request.id,
          status: 200,
          headers: { 'content-type': 'application/json' },
          ...answer,
        });
      return request;
    },
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
