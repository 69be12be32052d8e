// @ts-check

/**
 * Reads request bodies within two bounds: one for each, one for all that are being read or answered.
 *
 * @typedef {{ ok: true, text: string, release: () => void } | { ok: false, refusal: import('./reply.mjs').Refusal }} Read
 */

/** A client hears an answer only when it has sent its body, so too much of it is read and thrown away, up to this many times the bound. */
const PATIENCE = 4;

/**
 * @param {{ maxBodyBytes: number, maxHeldBytes: number }} bounds
 * @returns {(request: import('node:http').IncomingMessage) => Promise<Read>} `release` is called when the text is needed no more; rejects when the client goes away
 */
export function createBodyReader({ maxBodyBytes, maxHeldBytes }) {
  let held = 0;
  return async (request) => {
    let chunks = /** @type {Buffer[]} */ ([]);
    let size = 0;
    let own = 0;
    const release = () => {
      held -= own;
      own = 0;
    };
    try {
      for await (const chunk of request) {
        size += chunk.length;
        own += chunk.length;
        held += chunk.length;
        if (size <= maxBodyBytes && held <= maxHeldBytes) chunks.push(chunk);
        else {
          chunks = [];
          release();
        }
        if (size > PATIENCE * maxBodyBytes) break; // and the connection is closed
      }
    } catch (error) {
      release();
      throw error;
    }
    if (size > maxBodyBytes)
      return refused('PAYLOAD_TOO_LARGE', `body: expected at most ${maxBodyBytes} bytes, got ${size} or more`);
    if (own < size) return refused('QUEUE_FULL', 'Too many large requests are waiting. Try again later.');
    return { ok: true, text: Buffer.concat(chunks).toString(), release };
  };
}

/**
 * @param {import('./reply.mjs').Refusal['code']} code
 * @param {string} message
 * @returns {Read}
 */
function refused(code, message) {
  return { ok: false, refusal: { code, message } };
}
