import { headersOfFile } from '../../src/protocol/page/headers.ts';

/** What is read of a request. */
export type Asked = Pick<Request, 'url' | 'method' | 'mode' | 'destination' | 'cache' | 'headers'>;

/**
 * Whether the answer to a request must carry the isolation headers: the app's own document, and the scripts of workers. Scripts,
 * WebAssembly and models of the page's own origin need none, so they never pass the service worker: they stream as
 * without it, and the browser keeps their compiled code.
 *
 * @param scope  address of the folder that the site lies in, ending in a slash
 */
export function needsIsolation({ url, method, mode, destination, cache, headers }: Asked, scope: string): boolean {
  if (method !== 'GET' || headers.has('Range') || cache === 'only-if-cached') return false;
  const { origin, pathname } = new URL(url);
  const home = new URL(scope);
  if (origin !== home.origin) return false;
  // Below the root of an origin there may be other pages, which must stay as their host sends them.
  if (mode === 'navigate') return pathname === home.pathname || pathname === `${home.pathname}index.html`;
  const isWorker = destination === 'worker' || destination === 'sharedworker';
  return isWorker && pathname.startsWith(`${home.pathname}assets/`);
}

/**
 * The same response with those of the page's headers that it lacks; its body is streamed on.
 *
 * @returns  the response itself where nothing is missing, and for a redirect, which hides its headers
 */
export function isolated(response: Response): Response {
  const missing = Object.entries(headersOfFile(response.url)).filter(([name]) => !response.headers.has(name));
  if (missing.length === 0 || response.type === 'opaqueredirect' || response.type === 'error') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of missing) headers.set(name, value);
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers });
}
