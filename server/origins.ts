import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';

// Who may use this server from a browser. Programs such as curl send no `Origin`: for them only the token counts.

/**
 * Whether a request names this machine, once. A foreign name that was made to resolve here (DNS rebinding) would otherwise
 * let a foreign page count as same-origin. The port may differ, as with port forwarding.
 */
export function hasLoopbackHost({ headers, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length === 1 && isLoopback((headers.host ?? '').replace(/:\d+$/, ''));
}

/** The origin of the page that sent a request, when that is not our own page. */
export function foreignOrigin({ headers }: IncomingMessage): string | undefined {
  const { origin, host } = headers;
  return origin === undefined || origin === `http://${host}` ? undefined : origin;
}

/**
 * Whether a browser says that a page of another origin caused a request, also without `Origin`, as for a picture, a link or
 * a frame. Another port of this machine is another origin too.
 *
 * @source Fetch Metadata Request Headers, section 2.3
 */
export function isCrossOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether our own page sent a request, and a browser says so. */
export function isFromAppPage(request: IncomingMessage): boolean {
  const saysOwn = request.headers.origin !== undefined && foreignOrigin(request) === undefined;
  return saysOwn && !isCrossOrigin(request) && hasLoopbackHost(request);
}

/** Whether a request gets a file: a GET or HEAD that `mayReadFiles`. Otherwise it is refused. */
export function isFileRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  if (!mayReadFiles(request)) refuseRequest(response, 403, 'Only the page of this server may load its files');
  else if (isReading) return true;
  else {
    response.setHeader('Allow', 'GET, HEAD');
    refuseRequest(response, 405, 'Only GET and HEAD are served');
  }
  return false;
}

/** Ends a response with a status and a line of text. */
export function refuseRequest(response: ServerResponse, status: number, message: string): void {
  response.removeHeader('Cache-Control');
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}

/** Whether a request may have a file: from our own page, from a program, or as a link that is followed to the whole page. */
function mayReadFiles(request: IncomingMessage): boolean {
  const isFollowed =
    request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document';
  const mayBeElsewhere = isFollowed && (request.method === 'GET' || request.method === 'HEAD');
  const isOwn = foreignOrigin(request) === undefined && (!isCrossOrigin(request) || mayBeElsewhere);
  return isOwn && hasLoopbackHost(request);
}

/** A browser's question before the request itself. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Let the scripts of an allowed origin read an answer. @param origin  undefined for our own page and for programs */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'Content-Type, Retry-After, WWW-Authenticate, Deprecation, Sunset, Link, Lightwell-Ran',
  };
}

/**
 * The answer to a preflight of an allowed origin. `*` is for the headers by which OpenAI's client describes itself; the server passes
 * none of them on. The last header is for browsers that separate public pages from private networks.
 */
export function preflightHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    ...corsHeaders(origin),
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept, *',
    'Access-Control-Max-Age': '600',
    'Access-Control-Allow-Private-Network': 'true',
  };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether a host, without a port, is reachable from this machine only: `localhost`, 127.0.0.0/8, ::1 or [::1]. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** The address of a page at `host`: `http://localhost:5448/` for 127.0.0.1, the address itself for another one. */
export function urlOf(host: string, port: number): string {
  if (host === '127.0.0.1') return `http://localhost:${port}/`;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`;
}
