import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isLoopback } from './origins.ts';

/**
 * Gives a request the target that all others have, a path, where it names the whole address, as clients do that send to a
 * proxy.
 *
 * @returns false for the address of another host, which is not served here
 * @source RFC 9112, section 3.2.2
 */
export function toOriginForm(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (url.startsWith('/') || !/^https?:\/\//i.test(url)) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || !isLoopback(hostname)) return false;
  // As it was sent: `URL` would write it in another way.
  const target = url.replace(/^http:\/\/[^/?#]*/i, '');
  request.url = target.startsWith('/') ? target : `/${target}`;
  return true;
}

/** Whether a request is to become a WebSocket. */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Fields that offer another protocol. @source RFC 9110, section 7.8; RFC 7540, section 3.2.1 */
const OFFER = /^(upgrade|http2-settings)$/i;

/**
 * Answers a request as if it had not offered another protocol, such as HTTP/2 (`Upgrade: h2c`): a server may ignore the offer.
 * Node takes the connection from its parser as soon as anybody listens for WebSockets, so it gets the request once more,
 * without the offer.
 */
export function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() === 'connection') lines.push(`${name}: ${withoutOffer(value)}`);
    else if (!OFFER.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]));
  server.emit('connection', socket);
}

function withoutOffer(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !OFFER.test(option)).join(', ') || 'keep-alive';
}
