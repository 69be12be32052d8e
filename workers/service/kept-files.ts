import {
  cacheOf,
  isSiteFiles,
  keyOfFile,
  keyOfServed,
  SITE_PAGE,
  type SiteFiles,
} from '../../src/protocol/page/site-files.ts';

/** What is read of a request. */
export type AskedFile = Pick<Request, 'url' | 'method' | 'mode' | 'cache' | 'headers'>;

/** Who asks. For a document it is the page that it makes, whose id is the resulting one. */
export interface Asking {
  readonly clientId: string;
  readonly resultingClientId: string;
}

/** The files that the page has kept in the browser. */
export interface KeptFiles {
  /** Whether a kept file may be the answer; false once it is known that none is served. */
  mayHave(request: AskedFile): boolean;
  /** The kept file of the version that the asking tab is served; undefined where there is none. */
  find(request: AskedFile, asking: Asking): Promise<Response | undefined>;
  /** The page has changed what is served. */
  changed(): void;
  /** Deletes all of it. */
  remove(): Promise<unknown>;
}

/**
 * @param home  address of the folder that the site lies in, ending in a slash
 * @param caches  the browser's; one that is forbidden holds nothing
 */
export function createKeptFiles(
  { origin, pathname: home }: Pick<URL, 'origin' | 'pathname'>,
  caches: Pick<CacheStorage, 'match' | 'delete'>,
): KeptFiles {
  const cacheName = cacheOf(home);
  const match = (key: string, options: CacheQueryOptions = {}) =>
    caches.match(key, { cacheName, ...options }).catch(() => undefined);
  /** Undefined until it was looked for. */
  let served: SiteFiles | null | undefined;
  const ofTabs = new Map<string, SiteFiles>();

  const look = async (): Promise<SiteFiles | null> => {
    const list: unknown = await (await match(keyOfServed(home)))?.json();
    return (served = isSiteFiles(list) ? list : null);
  };

  /** The version of the tab: that of its document, if this worker is as old; what changes meanwhile is for the next one. */
  const versionFor = async (isDocument: boolean, { clientId, resultingClientId }: Asking) => {
    if (!isDocument) return ofTabs.get(clientId) ?? served ?? look();
    const version = await look();
    if (version) ofTabs.set(resultingClientId, version);
    return version;
  };

  return {
    mayHave({ url, method, mode, cache, headers }) {
      const address = new URL(url);
      if (method !== 'GET' || headers.has('Range') || address.origin !== origin) return false;
      if (mode === 'navigate') return pathIn(home, address.pathname) === SITE_PAGE;
      if (served === null || !address.pathname.startsWith(home)) return false;
      return cache === 'default' || cache === 'force-cache'; // else past what is kept
    },
    async find({ url, mode }, asking) {
      const { pathname } = new URL(url);
      const path = pathIn(home, pathname);
      const version = await versionFor(mode === 'navigate', asking);
      if (version === null) return undefined;
      if (path in version.files) return match(keyOfFile(home, path, version));
      // A tab of an older version: these names hold a hash of the content.
      return path.startsWith('assets/') ? match(home + path, { ignoreSearch: true }) : undefined;
    },
    changed: () => void (served = undefined),
    remove: () => caches.delete(cacheName).catch(() => false),
  };
}

/** Path below the folder; the folder stands for the page. */
function pathIn(home: string, pathname: string): string {
  return pathname === home ? SITE_PAGE : pathname.slice(home.length);
}
