import { isOfOtherBuild, runtimeBuild } from '../../protocol/page/runtime-builds.ts';
import {
  cacheOf,
  isOfModel,
  isSiteFiles,
  keyOfFile,
  keyOfServed,
  SITE_LIST,
  type SiteFile,
  type SiteFiles,
} from '../../protocol/page/site-files.ts';

/** A file of a list. */
export interface ListedFile {
  readonly path: string;
  readonly facts: SiteFile;
}

/** The kept files of a site, in one cache of the browser. Its methods reject where the browser forbids the cache. */
export interface FileCache {
  /** The list of the version that is served; null where none is. */
  served(): Promise<SiteFiles | null>;
  /** From now on, documents are those of this version. */
  serve(list: SiteFiles): Promise<void>;
  /** What of a list is not kept: what the page starts with first, then the models. */
  missing(list: SiteFiles): Promise<readonly ListedFile[]>;
  put(path: string, list: SiteFiles, response: Response): Promise<void>;
  /** Removes what is in none of these lists. */
  keepOnly(lists: readonly SiteFiles[]): Promise<void>;
  /** From now on every method rejects: whoever opens a cache that was deleted makes it again. */
  close(): void;
}

/** @param folder  address of the page's folder, ending in a slash */
export function createFileCache(folder: string, caches: Pick<CacheStorage, 'open'>): FileCache {
  const { origin, pathname: home } = new URL(folder);
  const closed = new AbortController();
  /** Opens it each time: it may have been deleted meanwhile. */
  const cache = async () => {
    closed.signal.throwIfAborted();
    return caches.open(cacheOf(home));
  };
  const keys = async () => new Set((await (await cache()).keys()).map(({ url }) => url.slice(origin.length)));
  return {
    async served() {
      const list: unknown = await (await (await cache()).match(keyOfServed(home)))?.json();
      return isSiteFiles(list) ? list : null;
    },
    serve: async (list) => (await cache()).put(keyOfServed(home), Response.json(list)),
    async missing(list) {
      const kept = await keys();
      const paths = Object.keys(list.files).filter((path) => !kept.has(keyOfFile(home, path, list)));
      const inOrder = [...paths.filter((path) => !isOfModel(path)), ...paths.filter(isOfModel)];
      return inOrder.flatMap((path) => {
        const facts = list.files[path];
        return facts ? [{ path, facts }] : [];
      });
    },
    put: async (path, list, response) => (await cache()).put(keyOfFile(home, path, list), response),
    async keepOnly(lists) {
      const wanted = new Set([
        keyOfServed(home),
        ...lists.flatMap((list) => Object.keys(list.files).map((path) => keyOfFile(home, path, list))),
      ]);
      const opened = await cache();
      for (const key of await keys()) if (!wanted.has(key)) await opened.delete(key);
    },
    close: () => closed.abort(new Error('Nothing is kept any more')),
  };
}

/** The list of the host's newest version, without what this browser does not run; null where it cannot be had. */
export async function newestList(folder: string, get: typeof fetch = fetch): Promise<SiteFiles | null> {
  try {
    const response = await get(folder + SITE_LIST, { cache: 'no-cache' });
    const list: unknown = response.ok ? await response.json() : null;
    return isSiteFiles(list) ? { ...list, files: withoutOtherBuild(list.files) } : null;
  } catch {
    return null; // without a network, or a page in its place
  }
}

function withoutOtherBuild(files: SiteFiles['files']): SiteFiles['files'] {
  const own = runtimeBuild();
  return Object.fromEntries(Object.entries(files).filter(([path]) => !isOfOtherBuild(path, own)));
}
