import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { BRIDGE_PATH, BRIDGE_SUBPROTOCOL } from '../../../src/protocol/frames/frames.ts';

/** A connection that sends bytes as a test gives them, whatever HTTP and WebSocket say. */
export interface RawSocket {
  send(bytes: string | Uint8Array): void;
  /** All that has come, as Latin-1. */
  received(): string;
  /** Resolves when something more has come, or nothing can come any more. */
  more(): Promise<void>;
  /** Resolves when the other end has closed. */
  closed(): Promise<void>;
  isClosed(): boolean;
  destroy(): void;
}

/** Connects to the server of that address. */
export async function openRaw(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
  let received = '';
  let isClosed = false;
  let onMore: () => void = () => undefined;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    onMore();
  });
  await once(socket, 'connect');
  // A server that closes while bytes come resets the connection. `close` follows such an error, for which `once` would reject.
  socket.on('error', () => undefined);
  const closing = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  return {
    send: (bytes) => void (socket.writable && socket.write(bytes)),
    received: () => received,
    more: () => Promise.race([new Promise<void>((resolve) => (onMore = resolve)), closing]),
    closed: () => closing,
    isClosed: () => isClosed,
    destroy: () => socket.destroy(),
  };
}

/** A tab's line on which any bytes can be sent. */
export async function openRawTab(url: string): Promise<RawSocket> {
  const raw = await openRaw(url);
  const { host, origin } = new URL(url);
  const key = createHash('md5').update(String(Math.random())).digest('base64');
  raw.send(
    [
      `GET ${BRIDGE_PATH} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${origin}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${key}`,
      `Sec-WebSocket-Protocol: ${BRIDGE_SUBPROTOCOL}`,
      '\r\n',
    ].join('\r\n'),
  );
  while (!raw.received().includes('\r\n\r\n') && !raw.isClosed()) await raw.more();
  return raw;
}

/** How a WebSocket frame may be wrong. */
export interface FrameOptions {
  readonly opcode?: number;
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  readonly reservedBits?: number;
  /** Declared in place of the real one, in 64 bits. */
  readonly declaredLength?: bigint;
}

const TEXT = 1;

/** One frame as a client sends it. @source RFC 6455, section 5.2 */
export function webSocketFrame(
  content: string | Uint8Array,
  { opcode = TEXT, isFinal = true, isMasked = true, reservedBits = 0, declaredLength }: FrameOptions = {},
): Buffer {
  const payload = Buffer.from(content);
  const mask = Buffer.from(isMasked ? [1, 2, 3, 4] : []);
  const masked = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  const first = (isFinal ? 0x80 : 0) | (reservedBits << 4) | opcode;
  const length = declaredLength ?? BigInt(payload.length);
  const isLong = declaredLength !== undefined || payload.length > 125;
  const head = Buffer.from([first, (isMasked ? 0x80 : 0) | (isLong ? 127 : payload.length)]);
  const lengthBytes = Buffer.alloc(isLong ? 8 : 0);
  if (isLong) lengthBytes.writeBigUInt64BE(length);
  return Buffer.concat([head, lengthBytes, mask, masked]);
}
