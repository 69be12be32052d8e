// @ts-check

/**
 * Who may use the bridge from a browser. Programs such as curl send no `Origin` and are judged by their token alone.
 *
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 */

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1']);

/**
 * Whether a request names this machine. A foreign name that was made to resolve here (DNS rebinding) would otherwise let
 * the page of a stranger count as same-origin. The port may differ: it does behind a forwarded one.
 *
 * @param {IncomingMessage} request
 */
export function namesThisMachine({ headers }) {
  return LOCAL_NAMES.has((headers.host ?? '').replace(/:\d+$/, ''));
}

/**
 * The origin of the page that sent a request, when that is not our own page.
 *
 * @param {IncomingMessage} request
 * @returns {string | undefined}
 */
export function foreignOrigin({ headers }) {
  const { origin, host } = headers;
  return origin === undefined || origin === `http://${host}` ? undefined : origin;
}

/**
 * Whether our own page sent a request, and a browser says so.
 *
 * @param {IncomingMessage} request
 */
export function isFromOwnPage(request) {
  return request.headers.origin !== undefined && foreignOrigin(request) === undefined && namesThisMachine(request);
}

/** A browser's question before the request itself. @param {IncomingMessage} request */
export function isPreflight({ method, headers }) {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * What lets the scripts of an allowed origin read an answer.
 *
 * @param {string | undefined} origin  undefined for our own page and for programs
 * @returns {Readonly<Record<string, string>>}
 */
export function readableBy(origin) {
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
 *
 * @param {string} origin
 */
export function preflightHeaders(origin) {
  return {
    ...readableBy(origin),
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
    'Access-Control-Max-Age': '600',
    'Access-Control-Allow-Private-Network': 'true',
  };
}
