import type { Connection } from './client.ts';

/** Sends a request over the connection with its token; rejects as `fetch` does. */
export type RawCall = ReturnType<typeof createRawCall>;

/** Calls that show request and answer as they cross HTTP, over a connection whose `fetch` creates the requests. */
export function createRawCall(
  connection: Omit<Connection, 'fetch'> & {
    readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  },
) {
  /**
   * @param request  as the user wrote it; nothing is checked here. `path`: such as `/embed?nice=true`
   * @returns        the answer as it was received; `ms`: from the call to the last byte
   */
  return async (request: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body: string | null;
    readonly signal?: AbortSignal;
  }) => {
    const { method, path, body, signal } = request;
    const { fetch, baseUrl, token } = connection;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const startedMs = performance.now();
    // Without `new Request`, which would encode a long body at once.
    const response = await fetch(baseUrl + path, { method, headers, body, ...(signal && { signal }) });
    const text = await response.text();
    return { status: response.status, headers: [...response.headers], text, ms: performance.now() - startedMs };
  };
}
