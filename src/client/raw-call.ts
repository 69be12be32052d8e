import type { Connection } from './client.ts';

/** What raw calls are sent with: a connection whose `fetch` makes requests itself. */
export interface RawConnection extends Omit<Connection, 'fetch'> {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** A request as the user wrote it; nothing is checked here. */
export interface RawRequest {
  readonly method: 'GET' | 'POST';
  /** Such as `/embed?nice=true`. */
  readonly path: string;
  /** null for none. */
  readonly body: string | null;
  readonly signal?: AbortSignal;
}

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** From the call to the last byte. */
  readonly ms: number;
}

/** Sends a request over the connection with its token; rejects as `fetch` does. */
export type RawCall = (request: RawRequest) => Promise<RawAnswer>;

/** Calls that show request and answer as they cross HTTP. */
export function createRawCall(connection: RawConnection): RawCall {
  return async ({ method, path, body, signal }) => {
    const { fetch, baseUrl, token } = connection;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const startedMs = performance.now();
    // No `Request` is made of it here: that would encode a long body at once.
    const response = await fetch(baseUrl + path, { method, headers, body, ...(signal && { signal }) });
    const text = await response.text();
    return { status: response.status, headers: [...response.headers], text, ms: performance.now() - startedMs };
  };
}
