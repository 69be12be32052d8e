import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../loopback.ts';

/** Who may use the bridge from a browser. Programs such as curl send no `Origin` and are judged by their token alone. */

/**
 * Whether a request names this machine. A foreign name that was made to resolve here (DNS rebinding) would otherwise let
 * the page of a stranger count as same-origin. The port may differ: it does behind a forwarded one.
 */
export function namesThisMachine({ headers }: IncomingMessage): boolean {
  return isLoopback((headers.host ?? '').replace(/:\d+$/, ''));
}

/** The origin of the page that sent a request, when that is not our own page. */
export function foreignOrigin({ headers }: IncomingMessage): string | undefined {
  const { origin, host } = headers;
  return origin === undefined || origin === `http://${host}` ? undefined : origin;
}

/** Whether our own page sent a request, and a browser says so. */
export function isFromOwnPage(request: IncomingMessage): boolean {
  return request.headers.origin !== undefined && foreignOrigin(request) === undefined && namesThisMachine(request);
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
    'Access-Control-Expose-Headers': 'Content-Type, Retry-After, Deprecation, Sunset, Link',
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
