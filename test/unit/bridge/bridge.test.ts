import { createTokenStore } from '../../../src/service/token.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOKEN_FORMAT } from '../../../src/contract/wire/engine.ts';
import {
  type Attention,
  BRIDGE_PATH,
  BRIDGE_SUBPROTOCOL,
  type FromTab,
  hashOfToken,
  type ToTab,
} from '../../../src/protocol/frames/frames.ts';
import { openBridge, type Socket } from '../../../src/bridge/transports.ts';
import { eventually } from '../../support/eventually.ts';

/** A socket whose other end is the test. */
class FakeSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  readonly sent: FromTab[] = [];
  isOpen = false;
  readonly url: string;
  readonly subprotocol: string;

  constructor(url: string, subprotocol: string) {
    this.url = url;
    this.subprotocol = subprotocol;
  }

  send(data: unknown): void {
    if (!this.isOpen) throw new Error('InvalidStateError: the socket is not open');
    this.sent.push(JSON.parse(String(data)));
  }

  close(): void {
    this.isOpen = false;
    // The bridge does not look at the event.
    this.onclose?.call(null as never, undefined as never);
  }

  open(): void {
    this.isOpen = true;
    this.onopen?.call(null as never, undefined as never);
  }

  receive(frame: ToTab): void {
    this.onmessage?.call(null as never, { data: JSON.stringify(frame) } as never);
  }
}

let sockets: FakeSocket[];
let statuses: string[];
let isForbidden = false;
const TOKEN_A = 'a'.repeat(64);
const TOKEN_B = 'b'.repeat(64);
let facts = { allowedOrigins: ['https://a.example'], timeoutMs: 1000, token: TOKEN_A };
let attention: Attention = 'focused';
const aborted = vi.fn();

/** What the page says of itself now; the token stays with it. */
async function presence() {
  const { token, ...shown } = facts;
  return { type: 'presence', attention, ...shown, tokenHash: await hashOfToken(token) };
}

/** Waits for the hash of a token, which the platform computes beside the script. */
const sent = (socket: FakeSocket | undefined, count: number) =>
  eventually(() => expect(socket?.sent).toHaveLength(count));

function open() {
  return openBridge({
    router: {
      fetch: (request) =>
        new Promise(() => {
          request.signal.addEventListener('abort', aborted);
        }),
    },
    origin: 'http://localhost:5448',
    facts: () => ({ ...facts, operator: 'stays here' }),
    onStatus: (status) => statuses.push(status),
    attention: () => attention,
    connect: (url, subprotocol) => {
      if (isForbidden) throw new DOMException('Sockets are not allowed.', 'SecurityError');
      const socket = new FakeSocket(url, subprotocol);
      sockets.push(socket);
      return socket;
    },
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  facts = { allowedOrigins: ['https://a.example'], timeoutMs: 1000, token: TOKEN_A };
  [sockets, statuses] = [[], []];
  aborted.mockReset();
});
afterEach(() => vi.useRealTimers());

describe('the bridge', () => {
  it('connects as the server expects, and says first of all what the tab is', async () => {
    open();
    const [socket] = sockets;
    expect([socket?.url, socket?.subprotocol]).toEqual([`ws://localhost:5448${BRIDGE_PATH}`, BRIDGE_SUBPROTOCOL]);
    socket?.open();
    await sent(socket, 1);
    expect(socket?.sent).toEqual([await presence()]);
    expect(JSON.stringify(socket?.sent)).not.toContain(TOKEN_A);
    expect(statuses).toEqual(['connecting', 'connected']);
  });

  it('shows the hash of a token that has the form which the server looks for', () =>
    expect(createTokenStore(null).current()).toMatch(TOKEN_FORMAT));

  it('shows only the newest of two tokens that were replaced in quick succession', async () => {
    const bridge = open();
    sockets[0]?.open();
    facts = { ...facts, token: TOKEN_B };
    bridge.refresh();
    await sent(sockets[0], 1);
    expect(sockets[0]?.sent).toEqual([await presence()]);
  });

  it('says so when something has changed, and keeps quiet while it is not connected', async () => {
    const bridge = open();
    bridge.refresh();
    sockets[0]?.open();
    await sent(sockets[0], 1);
    facts = { ...facts, allowedOrigins: [], timeoutMs: 2000 };
    attention = 'hidden';
    bridge.refresh();
    await sent(sockets[0], 2);
    expect(sockets[0]?.sent.at(-1)).toEqual(await presence());
  });

  it('comes back after the server was gone, waiting longer each time, and soon again once it was there', async () => {
    open();
    sockets[0]?.open();
    sockets[0]?.close();
    const waitsMs = [600, 1200, 2300, 4500, 9000, 11_000, 11_000];
    for (const [at, waitMs] of waitsMs.entries()) {
      vi.advanceTimersByTime(waitMs);
      expect(sockets).toHaveLength(at + 2);
      sockets.at(-1)?.close();
    }
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(waitsMs.length + 1);
    vi.advanceTimersByTime(11_000);
    sockets.at(-1)?.open();
    await eventually(() => expect(statuses.at(-1)).toBe('connected'));
    sockets.at(-1)?.close();
    vi.advanceTimersByTime(600);
    expect(sockets).toHaveLength(waitsMs.length + 3);
  });

  it('aborts what runs when the line is cut, and answers on the new line', async () => {
    open();
    sockets[0]?.open();
    await sent(sockets[0], 1);
    sockets[0]?.receive({ type: 'request', id: 1, method: 'GET', path: '/api/version', headers: {}, body: null });
    expect(sockets[0]?.sent.at(-1)).toEqual({ type: 'accepted', id: 1 });
    await vi.advanceTimersByTimeAsync(0);
    sockets[0]?.close();
    expect(aborted).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(600);
    sockets[1]?.open();
    await sent(sockets[1], 1);
    sockets[1]?.receive({ type: 'request', id: 1, method: 'GET', path: '/api/version', headers: {}, body: null });
    expect(sockets[1]?.sent.map(({ type }) => type)).toEqual(['presence', 'accepted']);
  });

  it('tries again when no socket can be opened', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    isForbidden = true;
    open();
    expect([sockets.length, warned.mock.calls.length]).toEqual([0, 1]);
    isForbidden = false;
    vi.advanceTimersByTime(600);
    sockets[0]?.open();
    await sent(sockets[0], 1);
    expect(statuses.at(-1)).toBe('connected');
    warned.mockRestore();
  });

  it.each(['presence', 'accepted'])('connects anew when %s cannot be sent', async (type) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    open();
    const [socket] = sockets;
    if (!socket) throw new Error('expected a socket');
    const refuse = () => {
      throw new DOMException('closing', 'InvalidStateError');
    };
    if (type === 'presence') socket.send = refuse;
    socket.open();
    if (type === 'accepted') {
      await sent(socket, 1);
      socket.send = refuse;
      socket.receive({ type: 'request', id: 1, method: 'GET', path: '/api/version', headers: {}, body: null });
    }
    await eventually(() => expect(socket.isOpen).toBe(false));
    vi.advanceTimersByTime(600);
    sockets[1]?.open();
    await sent(sockets[1], 1);
    expect(statuses.at(-1)).toBe('connected');
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it('stays away when it was closed', () => {
    const bridge = open();
    sockets[0]?.open();
    bridge.close();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });
});
