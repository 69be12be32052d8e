// @ts-check

/**
 * What the bridge sends over HTTP.
 *
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {import('../../src/contract/failure.ts').FailureCode} FailureCode
 * @typedef {import('../../src/protocol/frames.ts').AnswerHead} AnswerHead
 * @typedef {{ code: keyof typeof STATUS, message: string }} Refusal  a failure of the way, never of the request
 */

/**
 * The failures that the bridge itself can meet. Node cannot import the contract's table; the compiler compares them.
 *
 * @satisfies {Partial<typeof import('../../src/contract/failure.ts').STATUS>}
 */
export const STATUS = /** @type {const} */ ({
  FORBIDDEN_ORIGIN: 403,
  METHOD_NOT_ALLOWED: 405,
  TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  INTERNAL: 500,
  NO_TAB: 503,
  QUEUE_FULL: 503,
});

/** After which of them the same request may succeed, and when to try. */
const RETRY_AFTER_SECONDS = /** @type {Readonly<Partial<Record<FailureCode, number>>>} */ ({
  NO_TAB: 2,
  QUEUE_FULL: 2,
});

const COMMON_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Headers that belong to this connection, or to this server's policy, and not to the answer of a tab. */
const OWN_HEADERS =
  /^(connection|content-length|content-encoding|keep-alive|set-cookie|transfer-encoding|access-control-.*)$/;

/**
 * The contract's error body.
 *
 * @param {ServerResponse} response
 * @param {Refusal} refusal
 */
export function refuse(response, { code, message }) {
  if (response.headersSent) return void response.destroy();
  const retryAfter = RETRY_AFTER_SECONDS[code];
  const headers = {
    'Content-Type': 'application/json',
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
  complete(response, { status: STATUS[code], headers }, JSON.stringify({ error: message, code }));
}

/**
 * A whole answer.
 *
 * @param {ServerResponse} response  on which headers for its reader may be set already
 * @param {AnswerHead} head
 * @param {string} body
 */
export function complete(response, head, body) {
  const hasBody = response.req.method !== 'HEAD'; // the router has left it out, so its length is not known
  const length = hasBody ? { 'Content-Length': Buffer.byteLength(body) } : {};
  response.writeHead(head.status, { ...headersOf(head), ...length }).end(body);
}

/**
 * The first part of a streamed answer, sent at once: the first line may be long in coming.
 *
 * @param {ServerResponse} response
 * @param {AnswerHead} head
 */
export function begin(response, head) {
  response.writeHead(head.status, headersOf(head)).flushHeaders();
}

/**
 * @param {AnswerHead} head
 * @returns {Readonly<Record<string, string>>}
 */
function headersOf({ headers }) {
  const passed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name.toLowerCase()));
  return { ...COMMON_HEADERS, ...Object.fromEntries(passed) };
}
