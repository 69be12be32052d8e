import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.ts';

/** Who may use this server from a browser. Programs such as curl send no `Origin` and are judged by their token alone. */

/**
 * Whether a request names this machine, once. A foreign name that was made to resolve here (DNS rebinding) would otherwise
 * let the page of a stranger count as same-origin. The port may differ: it does behind a forwarded one.
 */
export function namesThisMachine({ headers, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length === 1 && isLoopback((headers.host ?? '').replace(/:\d+$/, ''));
}

/** The origin of the page that sent a request, when that is not our own page. */
export function foreignOrigin({ headers }: IncomingMessage): string | undefined {
  const { origin, host } = headers;
  return origin === undefined || origin === `http://${host}` ? undefined : origin;
}

/**
 * Whether a browser says that a page of another origin caused a request: also one that sends no `Origin`, such as a
 * picture, a link or a frame. Another port of this machine is another origin too.
 *
 * @source Fetch Metadata Request Headers, section 2.3
 */
export function isFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether our own page sent a request, and a browser says so. */
export function isFromOwnPage(request: IncomingMessage): boolean {
  const saysOwn = request.headers.origin !== undefined && foreignOrigin(request) === undefined;
  return saysOwn && !isFromElsewhere(request) && namesThisMachine(request);
}

/** Whether a request may have a file: from our own page, from a program, or as a link that is followed to the whole page. */
export function mayHaveFiles(request: IncomingMessage): boolean {
  const isFollowed =
    request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document';
  const mayBeElsewhere = isFollowed && (request.method === 'GET' || request.method === 'HEAD');
  const isOwn = foreignOrigin(request) === undefined && (!isFromElsewhere(request) || mayBeElsewhere);
  return isOwn && namesThisMachine(request);
}

/** A browser's question before the request itself. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * What lets the scripts of an allowed origin read an answer.
 *
 * @param origin  undefined for our own page and for programs
 */
export function readableBy(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'Content-Type, Retry-After, WWW-Authenticate, Deprecation, Sunset, Link, Lightwell-Ran',
  };
}

/**
 * The answer to a preflight of an allowed origin. The last line is asked for by browsers that tell public pages from
 * private networks.
 */
export function preflightHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    ...readableBy(origin),
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
    'Access-Control-Max-Age': '600',
    'Access-Control-Allow-Private-Network': 'true',
  };
}
