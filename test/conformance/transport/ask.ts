import assert from 'node:assert/strict';
import type { Described } from '../rows/described.ts';
import type { Received, Transport } from './transport.ts';

/** How a request differs from the usual one: the right token, JSON in, JSON out. */
export interface AskOptions {
  readonly method?: string;
  /** Added to or put in place of the usual headers; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** Asks the service, and checks every exchange against its own description. */
export interface Ask {
  /** The whole answer, whatever its status. An object is sent as JSON, a string as it is. */
  raw(path: string, body?: unknown, options?: AskOptions): Promise<Received>;
  /** The body of an answer that must be 200. */
  ok<Body>(path: string, body?: unknown, options?: AskOptions): Promise<Body>;
  /** The body of a refusal, whose status must be this. */
  refused(status: number, path: string, body?: unknown, options?: AskOptions): Promise<{ error: string; code: string }>;
}

/** @param described  the service's own OpenAPI document, which every exchange must fit */
export function createAsk(transport: Transport, described: Described): Ask {
  const raw: Ask['raw'] = async (path, body, { method = body === undefined ? 'GET' : 'POST', headers = {} } = {}) => {
    const usual = {
      authorization: `Bearer ${transport.token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    const entries = Object.entries<string | null>({ ...usual, ...headers }).filter(([, value]) => value !== null);
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const sent = { method, path, headers: Object.fromEntries(entries) as Record<string, string> };
    const received = await transport.send({ ...sent, ...(text !== undefined && { body: text }) });
    described.check({ ...sent, body: text }, received);
    return received;
  };
  return {
    raw,
    async ok(path, body, options) {
      const { status, text } = await raw(path, body, options);
      assert.equal(status, 200, text);
      return JSON.parse(text);
    },
    async refused(expected, path, body, options) {
      const { status, text } = await raw(path, body, options);
      assert.equal(status, expected, text);
      return JSON.parse(text);
    },
  };
}
