import type { IncomingMessage } from 'node:http';
import { failure, type Result } from '../../src/contract/failure.ts';

/** A body that was read. */
export interface Body {
  readonly text: string;
  /** Called when the text is needed no more. */
  release(): void;
}

/** A client hears an answer only when it has sent its body, so too much of it is read and thrown away, up to this many times the bound. */
const PATIENCE = 4;

/**
 * Reads request bodies within two bounds: one for each, one for all that are being read or answered.
 *
 * @returns a reader that rejects when the client goes away
 */
export function createBodyReader({
  maxBodyBytes,
  maxHeldBytes,
}: {
  readonly maxBodyBytes: number;
  readonly maxHeldBytes: number;
}): (request: IncomingMessage) => Promise<Result<Body>> {
  let held = 0;
  return async (request) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let own = 0;
    const release = () => {
      held -= own;
      own = 0;
    };
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
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
      return failure('PAYLOAD_TOO_LARGE', `body: expected at most ${maxBodyBytes} bytes, got ${size} or more`);
    if (own < size) return failure('QUEUE_FULL', 'Too many large requests are waiting. Try again later.');
    return { ok: true, value: { text: Buffer.concat(chunks).toString(), release } };
  };
}
