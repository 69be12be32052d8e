import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BRIDGE_PATH, BRIDGE_SUBPROTOCOL } from '../../../../src/protocol/line.ts';
import { openBridge, type Socket } from '../../../../src/bridge/bridge.ts';
import type { Attention, FromTab, ToTab } from '../../../../src/protocol/frames.ts';

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
let facts = { allowedOrigins: ['https://a.example'], timeoutMs: 1000 };
let attention: Attention = 'focused';
const aborted = vi.fn();

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
      const socket = new FakeSocket(url, subprotocol);
      sockets.push(socket);
      return socket;
    },
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, statuses] = [[], []];
  aborted.mockReset();
});
afterEach(() => vi.useRealTimers());

describe('the bridge', () => {
  it('connects as the server expects, and says first of all what the tab is', () => {
    open();
    const [socket] = sockets;
    expect([socket?.url, socket?.subprotocol]).toEqual([`ws://localhost:5448${BRIDGE_PATH}`, BRIDGE_SUBPROTOCOL]);
    socket?.open();
    expect(socket?.sent).toEqual([{ type: 'presence', attention, ...facts }]);
    expect(statuses).toEqual(['connecting', 'connected']);
  });

  it('says so when something has changed, and keeps quiet while it is not connected', () => {
    const bridge = open();
    bridge.refresh();
    sockets[0]?.open();
    facts = { allowedOrigins: [], timeoutMs: 2000 };
    attention = 'hidden';
    bridge.refresh();
    expect(sockets[0]?.sent.at(-1)).toEqual({ type: 'presence', attention: 'hidden', ...facts });
  });

  it('comes back after the server was gone, waiting longer each time, and soon again once it was there', () => {
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
    expect(statuses.at(-1)).toBe('connected');
    sockets.at(-1)?.close();
    vi.advanceTimersByTime(600);
    expect(sockets).toHaveLength(waitsMs.length + 3);
  });

  it('aborts what runs when the line is cut, and answers on the new line', async () => {
    open();
    sockets[0]?.open();
    sockets[0]?.receive({ type: 'request', id: 1, method: 'GET', path: '/api/version', headers: {}, body: null });
    expect(sockets[0]?.sent.at(-1)).toEqual({ type: 'accepted', id: 1 });
    await vi.advanceTimersByTimeAsync(0);
    sockets[0]?.close();
    expect(aborted).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(600);
    sockets[1]?.open();
    sockets[1]?.receive({ type: 'request', id: 1, method: 'GET', path: '/api/version', headers: {}, body: null });
    expect(sockets[1]?.sent.map(({ type }) => type)).toEqual(['presence', 'accepted']);
  });

  it('stays away when it was closed', () => {
    const bridge = open();
    sockets[0]?.open();
    bridge.close();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });
});
