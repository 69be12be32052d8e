import type { Connection } from './client.ts';

/** A request as the user wrote it; nothing is checked here. */
export interface RawRequest {
  readonly method: 'GET' | 'POST';
  /** Such as `/embed?nice=true`. */
  readonly path: string;
  /** null for none. */
  readonly body: string | null;
  readonly signal?: AbortSignal;
}

/** An answer as it was received. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** From the call to the last byte. */
  readonly ms: number;
}

/** Sends a request over the connection with its token; rejects as `fetch` does. */
export type RawCall = (request: RawRequest) => Promise<RawAnswer>;

/** Calls that show request and answer as they cross HTTP, over a connection whose `fetch` creates the requests. */
export function createRawCall(
  connection: Omit<Connection, 'fetch'> & {
    readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  },
): RawCall {
  return async ({ method, path, body, signal }) => {
    const { fetch, baseUrl, token } = connection;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const startedMs = performance.now();
    // Without `new Request`, which would encode a long body at once.
    const response = await fetch(baseUrl + path, { method, headers, body, ...(signal && { signal }) });
    const text = await response.text();
    return { status: response.status, headers: [...response.headers], text, ms: performance.now() - startedMs };
  };
}
