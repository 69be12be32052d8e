import {
  cacheOf,
  isSiteFiles,
  keyOfFile,
  keyOfServed,
  SITE_CHANGED,
  SITE_LIST,
  type OfflineFacts,
  type OfflinePart,
  type SiteFile,
  type SiteFiles,
} from '../../protocol/page/site-files.ts';
import { TABS_LOCK } from '../origin/origin-storage.ts';
import { fetchFile, type FetchOptions } from '../../fetching/fetch-file.ts';
import { headersOfFile } from '../../protocol/page/headers.ts';
import { isOfOtherBuild, runtimeBuild } from '../../protocol/page/runtime-builds.ts';

/** Leaves the network to the first explanation, which begins when the model is ready. */
const PAUSE_MS = 2_000;

/**
 * Stores the site's files on the device once the page's model is ready. Where the visitor's browser wants to save data, nothing
 * is fetched until the visitor starts it.
 *
 * @returns  null where the browser, or the address, allows no service worker or no cache
 */
export async function startOffline({
  ready,
  onState,
}: {
  readonly ready: Promise<void>;
  readonly onState: OfflineOptions['onState'];
}): Promise<ReturnType<typeof createOfflineCache> | null> {
  // Undefined outside secure contexts, whatever its type says.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const store = cachesOrNull();
  if (!container || !store) return null;
  const { active } = await container.ready;
  const folder = new URL('.', document.baseURI).href;
  const offline = createOfflineCache({
    folder,
    cache: createFileCache(folder, store),
    locks: navigator.locks,
    onState,
    tell: (message) => active?.postMessage(message),
  });
  void whenReady(ready).then(savesData() ? offline.refresh : offline.download);
  return offline;
}

async function whenReady(ready: Promise<void>): Promise<void> {
  await ready.catch(() => undefined); // the files may help it
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

/** Null where the browser forbids it. */
function cachesOrNull(): CacheStorage | null {
  try {
    return (window.caches as CacheStorage | undefined) ?? null;
  } catch {
    return null;
  }
}

/** What it needs of the browser; tests replace it. */
interface OfflineOptions {
  /** Address of the page's folder, ending in a slash. */
  readonly folder: string;
  readonly cache: FileCache;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  readonly onState: (state: OfflineFacts) => void;
  readonly tell: (message: typeof SITE_CHANGED) => void;
  readonly fetch?: typeof fetch;
}

/** One tab at a time fetches. */
const KEEPING = 'lightwell keeping ';

/** Stores the site's files on the device. Nothing is served before all files that the page starts with are here. */
export function createOfflineCache(options: OfflineOptions) {
  const { folder, cache, locks, onState } = options;
  const stopped = new AbortController();
  let newest: SiteFiles | null = null;
  let state: OfflineFacts = { parts: [], isDownloading: false, problem: null, hasOlder: false, isNewer: false };
  const change: Change = (changes) => onState((state = { ...state, ...changes(state) }));
  void locks
    .request(TABS_LOCK + folder, { mode: 'shared' }, () => new Promise<never>(() => undefined))
    .catch(() => undefined);

  const look = async () => {
    const served = await cache.served();
    newest = (await newestList(folder, options.fetch)) ?? served;
    if (newest === null) return change(() => ({ parts: [], problem: `${folder} cannot be reached` }));
    const parts = partsOf(newest, await cache.missing(newest));
    const isNewer =
      served !== null &&
      served.version !== newest.version &&
      parts.every(({ bytes, cachedBytes }) => bytes === cachedBytes);
    const hasOlder = served !== null && served.version !== newest.version;
    change(() => ({ parts, hasOlder, isNewer, problem: null }));
  };

  const keepAll = async () => {
    await look();
    if (newest === null) return;
    await fetchMissing(newest, { ...options, signal: stopped.signal }, change);
    await tidy(newest, options);
    await look();
  };

  return {
    /** Looks at what is here, and what the host has. */
    refresh: () => settled(look(), change),
    /** Fetches what is missing; waits where another tab does. */
    async download(): Promise<void> {
      change(() => ({ isDownloading: true, problem: null }));
      await settled(locks.request(KEEPING + folder, keepAll), change);
      change(() => ({ isDownloading: false }));
    },
    async update(): Promise<void> {
      if (newest && !stopped.signal.aborted) await serve(newest, options); // else a reload brings the host's
    },
    stop(): void {
      cache.close();
      stopped.abort(new Error('Nothing is kept any more'));
    },
  };
}

type Change = (changes: (state: OfflineFacts) => Partial<OfflineFacts>) => void;

async function serve(list: SiteFiles, { cache, tell }: OfflineOptions): Promise<void> {
  await cache.serve(list);
  tell(SITE_CHANGED);
}

/** Fetches missing files. Once the page can start from them, they are served, unless another version already is. */
async function fetchMissing(
  list: SiteFiles,
  options: OfflineOptions & { readonly signal: AbortSignal },
  change: Change,
): Promise<void> {
  const { folder, cache, signal } = options;
  const missing = await cache.missing(list);
  let isServed = (await cache.served()) !== null;
  const serveFirst = async () => {
    if (!isServed) await serve(list, options);
    isServed = true;
  };
  for (const [index, { path, facts }] of missing.entries()) {
    if (isOfModel(path)) await serveFirst();
    let before = 0;
    const onBytes = (done: number) => {
      const count = done - before; // negative where a wrong file is fetched again
      before = done;
      change(({ parts }) => ({ parts: added(parts, path, count) }));
    };
    const isNamedByContent = path.startsWith('assets/');
    const response = await fetchSiteFile(folder + path, facts, isNamedByContent, { ...options, onBytes });
    signal.throwIfAborted();
    await cache.put(path, list, response);
    change(() => ({ parts: partsOf(list, missing.slice(index + 1)) }));
  }
  await serveFirst();
}

/** Whether a file belongs to a model; the page starts without those. */
function isOfModel(path: string): boolean {
  return path.startsWith('models/');
}

/** Removes files of older versions unless another tab may need them. */
async function tidy(newest: SiteFiles, { folder, cache, locks }: OfflineOptions): Promise<void> {
  const { held = [] } = await locks.query();
  if (held.filter(({ name }) => name === TABS_LOCK + folder).length > 1) return;
  const served = await cache.served();
  await cache.deleteOthers(served ? [served, newest] : [newest]);
}

async function settled(work: Promise<unknown>, change: Change): Promise<void> {
  try {
    await work;
  } catch (error) {
    change(() => ({ problem: error instanceof Error ? error.message : String(error) }));
  }
}

function partsOf({ files }: SiteFiles, missing: readonly ListedFile[]): OfflinePart[] {
  const parts = new Map<string, { name: string; bytes: number; cachedBytes: number }>();
  const isMissing = new Set(missing.map(({ path }) => path));
  for (const [path, [bytes]] of Object.entries(files)) {
    const name = nameOf(path);
    const part = parts.get(name) ?? { name, bytes: 0, cachedBytes: 0 };
    part.bytes += bytes;
    if (!isMissing.has(path)) part.cachedBytes += bytes;
    parts.set(name, part);
  }
  return [...parts.values()];
}

function added(parts: readonly OfflinePart[], path: string, byteCount: number): OfflinePart[] {
  const name = nameOf(path);
  return parts.map((part) => (part.name === name ? { ...part, cachedBytes: part.cachedBytes + byteCount } : part));
}

function nameOf(path: string): string {
  return isOfModel(path) ? (path.split('/')[1] ?? path) : 'app';
}

/** Types that not all hosts send, or not in the same way. */
const TYPES: readonly (readonly [ending: RegExp, type: string])[] = [
  [/\.m?js$/, 'text/javascript'],
  [/\.wasm$/, 'application/wasm'],
  [/\.css$/, 'text/css; charset=utf-8'],
  [/\.html$/, 'text/html; charset=utf-8'],
];

/**
 * Fetches a file of the site and checks it, see `fetchFile`.
 *
 * @param isNamedByContent  whether its address changes with its content, so that an older file cannot have it
 * @returns  with the headers that the page needs, to be stored
 * @throws  {Error} naming the file, when it cannot be fetched or is not the listed one
 */
export async function fetchSiteFile(
  url: string,
  [bytes, sha256]: SiteFile,
  isNamedByContent: boolean,
  options: Pick<FetchOptions, 'onBytes' | 'signal' | 'fetch'>,
): Promise<Response> {
  const cache = isNamedByContent ? 'default' : 'no-cache';
  const file = await fetchFile(url, { ...options, cache, expected: { bytes, sha256 } });
  if (file.problem === undefined) return storable(url, file.bytes, file.headers);
  throw new Error(`${url} is not the file of this version; the host may be changing it`);
}

function storable(url: string, bytes: Uint8Array<ArrayBuffer>, sent: Headers): Response {
  const headers = new Headers(headersOfFile(url));
  const known = TYPES.find(([ending]) => ending.test(url))?.[1];
  headers.set('Content-Type', known ?? sent.get('Content-Type') ?? 'application/octet-stream');
  headers.set('Content-Length', String(bytes.length));
  const announced = sent.get('Server-Timing'); // present where the host has a bridge
  if (announced !== null) headers.set('Server-Timing', announced);
  return new Response(bytes, { headers });
}

type FileCache = ReturnType<typeof createFileCache>;
type ListedFile = Awaited<ReturnType<FileCache['missing']>>[number];

/**
 * The stored files of a site, in one cache of the browser. All methods reject where the browser forbids the cache.
 *
 * @param folder  address of the page's folder, ending in a slash
 */
export function createFileCache(folder: string, caches: Pick<CacheStorage, 'open'>) {
  const { origin, pathname: home } = new URL(folder);
  const closed = new AbortController();
  /** Opens it each time: it may have been deleted. */
  const cache = async () => {
    closed.signal.throwIfAborted();
    return caches.open(cacheOf(home));
  };
  const keys = async () => new Set((await (await cache()).keys()).map(({ url }) => url.slice(origin.length)));
  return {
    /** The list of the version that is served; null without one. */
    async served() {
      const list: unknown = await (await (await cache()).match(keyOfServed(home)))?.json();
      return isSiteFiles(list) ? list : null;
    },
    /** From now on, documents are those of this version. */
    serve: async (list: SiteFiles) => (await cache()).put(keyOfServed(home), Response.json(list)),
    /** The files of a list that are not stored: those that the page starts with first, then the models. */
    async missing(list: SiteFiles) {
      const stored = await keys();
      return Object.entries(list.files)
        .filter(([path]) => !stored.has(keyOfFile(home, path, list)))
        .map(([path, facts]) => ({ path, facts }))
        .toSorted((a, b) => Number(isOfModel(a.path)) - Number(isOfModel(b.path)));
    },
    put: async (path: string, list: SiteFiles, response: Response) =>
      (await cache()).put(keyOfFile(home, path, list), response),
    async deleteOthers(lists: readonly SiteFiles[]) {
      const wanted = new Set([
        keyOfServed(home),
        ...lists.flatMap((list) => Object.keys(list.files).map((path) => keyOfFile(home, path, list))),
      ]);
      const opened = await cache();
      for (const key of await keys()) if (!wanted.has(key)) await opened.delete(key);
    },
    /** From now on every method rejects: opening a deleted cache would create it again. */
    close: () => closed.abort(new Error('Nothing is kept any more')),
  };
}

/** The list of the host's newest version, without what this browser does not run; null where it cannot be fetched. */
export async function newestList(folder: string, get: typeof fetch = fetch): Promise<SiteFiles | null> {
  try {
    const response = await get(folder + SITE_LIST, { cache: 'no-cache' });
    const list: unknown = response.ok ? await response.json() : null;
    if (!isSiteFiles(list)) return null;
    const own = runtimeBuild();
    const files = Object.entries(list.files).filter(([path]) => !isOfOtherBuild(path, own));
    return { ...list, files: Object.fromEntries(files) };
  } catch {
    return null; // no network, or a page instead of the list
  }
}
