import { headersOfFile } from '../../src/protocol/page/headers.ts';
import { cacheOf, isSiteFiles, keyOfFile, keyOfServed, type SiteFiles } from '../../src/protocol/page/site-files.ts';

/** The part of a request that decides who answers it. */
export type SiteRequest = Pick<Request, 'url' | 'method' | 'mode' | 'destination' | 'cache' | 'headers'>;

/**
 * Whether the answer to a request must carry the isolation headers: the app's own document, and the scripts of workers. Scripts,
 * WebAssembly and models of the page's own origin do not need them, so they never pass the service worker: they are streamed,
 * and the browser caches their compiled code.
 *
 * @param scope  address of the site's folder, ending in a slash
 */
export function needsIsolation(
  { url, method, mode, destination, cache, headers }: SiteRequest,
  scope: string,
): boolean {
  if (method !== 'GET' || headers.has('Range') || cache === 'only-if-cached') return false;
  const { origin, pathname } = new URL(url);
  const home = new URL(scope);
  if (origin !== home.origin) return false;
  // Other pages of the origin must stay as their host sends them.
  if (mode === 'navigate') return pathname === home.pathname || pathname === `${home.pathname}index.html`;
  const isWorker = destination === 'worker' || destination === 'sharedworker';
  return isWorker && pathname.startsWith(`${home.pathname}assets/`);
}

/**
 * The same response with the page's headers that it lacks; its body is streamed.
 *
 * @returns  the response itself where no header is missing, and for a redirect, which hides its headers
 */
export function withIsolationHeaders(response: Response): Response {
  const missing = Object.entries(headersOfFile(response.url)).filter(([name]) => !response.headers.has(name));
  if (missing.length === 0 || response.type === 'opaqueredirect' || response.type === 'error') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of missing) headers.set(name, value);
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers });
}

/** Path of the page itself in the list. */
const SITE_PAGE = 'index.html';

/**
 * The files of the site that the page has stored in the browser.
 *
 * @param site  address of the site's folder, ending in a slash
 * @param caches  the browser's; forbidden ones count as empty
 */
export function createSiteCache(
  { origin, pathname: home }: Pick<URL, 'origin' | 'pathname'>,
  caches: Pick<CacheStorage, 'match' | 'delete'>,
) {
  const cacheName = cacheOf(home);
  const match = (key: string, options: CacheQueryOptions = {}) =>
    caches.match(key, { cacheName, ...options }).catch(() => undefined);
  /** Undefined before the first look-up. */
  let served: SiteFiles | null | undefined;
  const versions = new Map<string, SiteFiles>();

  const lookUp = async (): Promise<SiteFiles | null> => {
    const list: unknown = await (await match(keyOfServed(home)))?.json();
    return (served = isSiteFiles(list) ? list : null);
  };

  return {
    /** Whether a stored file may be the answer; false once it is known that none is served. */
    mayServe({ url, method, mode, cache, headers }: SiteRequest): boolean {
      const address = new URL(url);
      if (method !== 'GET' || headers.has('Range') || address.origin !== origin) return false;
      if (mode === 'navigate') return pathIn(home, address.pathname) === SITE_PAGE;
      if (served === null || !address.pathname.startsWith(home)) return false;
      return cache === 'default' || cache === 'force-cache'; // other modes bypass caches
    },
    /** The stored file of the version that the client is served; undefined where there is none. The client of a document is the resulting one. */
    async find(
      { url, mode }: SiteRequest,
      { clientId, resultingClientId }: Readonly<Record<'clientId' | 'resultingClientId', string>>,
    ): Promise<Response | undefined> {
      const { pathname } = new URL(url);
      const path = pathIn(home, pathname);
      const isDocument = mode === 'navigate';
      // A tab gets the version of its document; a newer one is for the next document.
      const version = isDocument ? await lookUp() : (versions.get(clientId) ?? served ?? (await lookUp()));
      if (version === null) return undefined;
      if (isDocument) versions.set(resultingClientId, version);
      if (path in version.files) return match(keyOfFile(home, path, version));
      // A tab of an older version: these names contain a hash of the content.
      return path.startsWith('assets/') ? match(home + path, { ignoreSearch: true }) : undefined;
    },
    /** The page has changed the served version. */
    changed: () => void (served = undefined),
    remove: () => caches.delete(cacheName).catch(() => false),
  };
}

/** Path in the folder; the folder itself is the page. */
function pathIn(home: string, pathname: string): string {
  return pathname === home ? SITE_PAGE : pathname.slice(home.length);
}

/** The part of the host's answer that is read. */
type HostAnswer = Pick<Response, 'ok' | 'status' | 'headers'>;

/**
 * Checks whether the host still serves this site in the service worker's folder: a browser keeps a service worker when its script is gone, so that another project on the same origin later,
 * such as one on the same port, would have its requests answered by this site and its page changed. A host that cannot be
 * reached, or that fails, does not count as gone: the page works offline.
 *
 * @param options  `script`: address of this service worker's script; tests replace the other functions of the browser
 */
export function createSiteProbe({
  script,
  unregister,
  fetchHead = head,
  timeoutMs = 1_000,
}: {
  readonly script: string;
  readonly unregister: () => Promise<unknown>;
  readonly fetchHead?: (script: string) => Promise<HostAnswer>;
  readonly timeoutMs?: number;
}) {
  let last: Promise<boolean> | undefined;
  let unregistered: Promise<unknown> = Promise.resolve();
  const check = (): Promise<boolean> => {
    last = fetchHead(script).then(isSiteScript, () => true);
    // Removing cached files can take seconds, which no page waits for.
    unregistered = last.then((isThere) => isThere || unregister());
    unregistered.catch(() => undefined); // `probe` reports it
    return last;
  };
  const responds = () => last ?? check();
  const deadline = () => new Promise<true>((resolve) => setTimeout(() => resolve(true), timeoutMs));
  return {
    /** Asks the host again. Unregisters the service worker when the site is gone. */
    async probe() {
      const isThere = await check();
      await unregistered;
      return isThere;
    },
    responds,
    /** The same, but true where the host has not answered within a second. */
    respondsSoon: () => Promise.race([responds(), deadline()]),
  };
}

/** False where the script does not exist, or something else is served instead. */
function isSiteScript({ ok, status, headers }: HostAnswer): boolean {
  if (ok) return /javascript/.test(headers.get('Content-Type') ?? '');
  return status !== 404 && status !== 410;
}

function head(script: string): Promise<Response> {
  return fetch(script, { method: 'HEAD', cache: 'no-store', redirect: 'manual' }); // a redirect may lead to a sign-in
}
