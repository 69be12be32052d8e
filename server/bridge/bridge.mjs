// @ts-check
import { createBodyReader } from './body.mjs';
import { PASSED_HEADERS } from './line.mjs';
import { foreignOrigin, isPreflight, namesThisMachine, preflightHeaders, readableBy } from './origins.mjs';
import { refuse } from './reply.mjs';
import { route } from './route.mjs';
import { createTabs } from './tabs.mjs';

/**
 * The contract over HTTP: a request to `/api/…` travels to an open tab, is run there by the page's router, and its answer
 * travels back. The server knows no token, keeps nothing, and answers by itself only that the way is barred.
 *
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {import('./reply.mjs').Refusal} Refusal
 */

const LIMITS = {
  /** A tab says at once that it has a request; one that does not is frozen, or stuck in something long. */
  acceptMs: 10_000,
  /** What the way may add to the tab's own time-out; the contract's clients wait 5 s longer than that. */
  marginMs: 3_000,
  /** A file of 64 MiB, the largest that the contract reads, is a third longer in base64. */
  maxBodyBytes: 128 * 1024 * 1024,
  /** Of all requests together. */
  maxHeldBytes: 256 * 1024 * 1024,
  /** Of a streamed answer whose reader does not read. */
  maxBacklogBytes: 32 * 1024 * 1024,
};

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Whether a URL belongs to the bridge. @param {string} url */
export function isApi(url) {
  return /^\/api([/?]|$)/.test(url);
}

/**
 * @param {Partial<typeof LIMITS> & { pageUrl: () => string }} options  `pageUrl`: what to open in a browser
 */
export function createBridge({ pageUrl, ...limits }) {
  const settings = { ...LIMITS, ...limits };
  const tabs = createTabs();
  const readBody = createBodyReader(settings);

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  async function handle(request, response) {
    const { method = 'GET', url = '/' } = request;
    const origin = foreignOrigin(request);
    const barred = barrierTo(request, origin);
    if (barred) return refuse(response, barred);
    if (origin !== undefined && isPreflight(request))
      return void response.writeHead(204, preflightHeaders(origin)).end();
    response.setHeaders(new Map(Object.entries(readableBy(origin))));
    const read = await readBody(request);
    if (!read.ok) return refuse(response, read.refusal);
    const body = method === 'GET' || method === 'HEAD' ? null : read.text;
    const asked = { method, path: url, headers: passedHeaders(request), body };
    const way = { tabsInOrder: () => tabs.inOrder(origin), patience: settings, pageUrl: pageUrl() };
    await route(asked, response, way).finally(read.release);
  }

  /**
   * @param {IncomingMessage} request
   * @param {string | undefined} origin
   * @returns {Refusal | undefined}
   */
  function barrierTo(request, origin) {
    const { method = '', headers } = request;
    if (!namesThisMachine(request))
      return refusal('FORBIDDEN_ORIGIN', `Host: expected localhost or 127.0.0.1, got "${headers.host ?? ''}"`);
    if (origin !== undefined && tabs.inOrder(origin).length === 0)
      return refusal('FORBIDDEN_ORIGIN', `Origin: expected one that an open tab's settings allow, got "${origin}"`);
    if (!METHODS.has(method)) return refusal('METHOD_NOT_ALLOWED', `expected GET or POST, got ${method}`);
    return undefined;
  }

  return {
    upgrade: tabs.upgrade,
    /**
     * @param {IncomingMessage} request
     * @param {ServerResponse} response
     */
    answer(request, response) {
      handle(request, response).catch((error) => {
        if (response.destroyed) return; // the client left while its body was read
        console.error(error);
        refuse(response, refusal('INTERNAL', String(error)));
      });
    },
    close: tabs.close,
  };
}

/** @param {IncomingMessage} request */
function passedHeaders({ headers }) {
  /** @type {Record<string, string>} */
  const passed = {};
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}

/**
 * @param {Refusal['code']} code
 * @param {string} message
 * @returns {Refusal}
 */
function refusal(code, message) {
  return { code, message };
}
