// @ts-check

/**
 * The line between this server and the tabs. `src/bridge` has the other end, `src/protocol/frames.ts` describes what
 * crosses; node cannot import it, so names are repeated here, and a test compares them.
 *
 * @typedef {import('../../src/protocol/frames.ts').FromTab} FromTab
 * @typedef {import('../../src/protocol/frames.ts').ToTab} ToTab
 * @typedef {import('../../src/protocol/frames.ts').PassedHeader} PassedHeader
 */

/** Where tabs connect. */
export const PATH = '/api/bridge';

/** A tab that was loaded before an incompatible change speaks another one, is refused, and must be reloaded. */
export const SUBPROTOCOL = 'lightwell.bridge.1';

/** How the page learns that it was served by a server with a bridge: an entry of the header `Server-Timing`. */
export const ANNOUNCEMENT = 'lightwell-bridge';

/** What of a request's headers a tab gets to see. @type {readonly PassedHeader[]} */
export const PASSED_HEADERS = ['accept', 'authorization', 'content-type'];

/** Fields of each frame from a tab, and their types as `typeof` says; `head` and `list` are looked at more closely. */
const FIELDS = /** @type {Readonly<Record<FromTab['type'], Readonly<Record<string, string>>>>} */ ({
  presence: { attention: 'string', allowedOrigins: 'list', timeoutMs: 'number' },
  accepted: { id: 'number' },
  answer: { id: 'number', status: 'number', headers: 'head', body: 'string' },
  begin: { id: 'number', status: 'number', headers: 'head' },
  chunk: { id: 'number', text: 'string' },
  end: { id: 'number' },
  broken: { id: 'number', reason: 'string' },
});

/**
 * A frame from a tab, checked: any page of this origin can open the line.
 *
 * @param {string} text
 * @returns {FromTab | undefined} undefined for what is no frame
 */
export function readFrame(text) {
  const value = parsed(text);
  if (!isRecord(value) || typeof value.type !== 'string' || !Object.hasOwn(FIELDS, value.type)) return undefined;
  const fields = FIELDS[/** @type {FromTab['type']} */ (value.type)];
  if (!Object.entries(fields).every(([name, kind]) => fits(value[name], kind))) return undefined;
  return /** @type {FromTab} */ (/** @type {unknown} */ (value));
}

/** @param {string} text */
function parsed(text) {
  try {
    return /** @type {unknown} */ (JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @param {string} kind
 */
function fits(value, kind) {
  if (kind === 'list') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (kind === 'head') return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
  return typeof value === kind;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
