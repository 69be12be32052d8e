import { isOfModel, SITE_CHANGED, type SiteFiles } from '../../protocol/page/site-files.ts';
import { TABS_LOCK } from '../origin/kept-here.ts';
import { fetchFile } from './fetch-file.ts';
import { type FileCache, type ListedFile, newestList } from './file-cache.ts';

/** Some of the files: `app`, or the name of a model's folder. */
export interface KeptPart {
  readonly name: string;
  readonly bytes: number;
  readonly keptBytes: number;
}

/** What of the site is on the device. */
export interface OfflineState {
  readonly parts: readonly KeptPart[];
  readonly isKeeping: boolean;
  /** What kept the last attempt from its end; null: nothing. */
  readonly problem: string | null;
  /** An older version is served from here: the page opens without a network, whatever of a newer one is missing. */
  readonly hasOlder: boolean;
  /** All files of a newer version are here; it is served from the next `takeNewest` on. */
  readonly isNewer: boolean;
}

/** What is needed of the browser; tests replace it. */
export interface OfflineOptions {
  /** Address of the page's folder, ending in a slash. */
  readonly folder: string;
  readonly cache: FileCache;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  readonly onState: (state: OfflineState) => void;
  /** Tells the service worker. */
  readonly tell: (message: typeof SITE_CHANGED) => void;
  readonly fetch?: typeof fetch;
}

/** Keeps the site's files on the device. */
export interface Offline {
  /** Looks at what is here, and what the host has. */
  look(): Promise<void>;
  /** Fetches what is missing. Where another tab does, it waits for that one. */
  keep(): Promise<void>;
  /** Documents are those of the newest version from now on. */
  takeNewest(): Promise<void>;
  /** Keeps nothing from now on, and looks at nothing that is kept. */
  stop(): void;
}

/** One tab at a time fetches. */
const KEEPING = 'lightwell keeping ';

/** See `Offline`. Nothing is served before all files that the page starts with are here. */
export function createOffline(options: OfflineOptions): Offline {
  const { folder, cache, locks, onState } = options;
  const stopped = new AbortController();
  let newest: SiteFiles | null = null;
  let state: OfflineState = { parts: [], isKeeping: false, problem: null, hasOlder: false, isNewer: false };
  const change: Change = (changes) => onState((state = { ...state, ...changes(state) }));
  void locks
    .request(TABS_LOCK + folder, { mode: 'shared' }, () => new Promise<never>(() => undefined))
    .catch(() => undefined);

  const look = async () => {
    const served = await cache.served();
    newest = (await newestList(folder, options.fetch)) ?? served;
    if (newest === null) return change(() => ({ parts: [], problem: `${folder} cannot be reached` }));
    const parts = partsOf(newest, await cache.missing(newest));
    const isNewer = served !== null && served.version !== newest.version && parts.every(isWhole);
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
    look: () => settled(look(), change),
    async keep() {
      change(() => ({ isKeeping: true, problem: null }));
      await settled(locks.request(KEEPING + folder, keepAll), change);
      change(() => ({ isKeeping: false }));
    },
    async takeNewest() {
      if (newest && !stopped.signal.aborted) await serve(newest, options); // else a reload brings the host's
    },
    stop() {
      cache.close();
      stopped.abort(new Error('Nothing is kept any more'));
    },
  };
}

/** Changes the state by what it is. */
type Change = (changes: (state: OfflineState) => Partial<OfflineState>) => void;

async function serve(list: SiteFiles, { cache, tell }: OfflineOptions): Promise<void> {
  await cache.serve(list);
  tell(SITE_CHANGED);
}

/** Once the page can start from what is kept, tabs are served that, unless they are served another version already. */
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
    const onBytes = (count: number) => change(({ parts }) => ({ parts: added(parts, path, count) }));
    const isNamedByContent = path.startsWith('assets/');
    const response = await fetchFile(folder + path, facts, isNamedByContent, { ...options, onBytes });
    signal.throwIfAborted();
    await cache.put(path, list, response);
    change(() => ({ parts: partsOf(list, missing.slice(index + 1)) }));
  }
  await serveFirst();
}

/** Removes files of older versions where no other tab can want them. */
async function tidy(newest: SiteFiles, { folder, cache, locks }: OfflineOptions): Promise<void> {
  const { held = [] } = await locks.query();
  if (held.filter(({ name }) => name === TABS_LOCK + folder).length > 1) return;
  const served = await cache.served();
  await cache.keepOnly(served ? [served, newest] : [newest]);
}

/** What goes wrong is part of the state. */
async function settled(work: Promise<unknown>, change: Change): Promise<void> {
  try {
    await work;
  } catch (error) {
    change(() => ({ problem: error instanceof Error ? error.message : String(error) }));
  }
}

function isWhole({ bytes, keptBytes }: KeptPart): boolean {
  return bytes === keptBytes;
}

function partsOf({ files }: SiteFiles, missing: readonly ListedFile[]): KeptPart[] {
  const sizes = new Map<string, { bytes: number; keptBytes: number }>();
  const isMissing = new Set(missing.map(({ path }) => path));
  for (const [path, [bytes]] of Object.entries(files)) {
    const part = sizes.get(nameOf(path)) ?? { bytes: 0, keptBytes: 0 };
    sizes.set(nameOf(path), {
      bytes: part.bytes + bytes,
      keptBytes: part.keptBytes + (isMissing.has(path) ? 0 : bytes),
    });
  }
  return Array.from(sizes, ([name, size]) => ({ name, ...size }));
}

function added(parts: readonly KeptPart[], path: string, byteCount: number): KeptPart[] {
  const name = nameOf(path);
  return parts.map((part) => (part.name === name ? { ...part, keptBytes: part.keptBytes + byteCount } : part));
}

/** The part that a file belongs to. */
function nameOf(path: string): string {
  return isOfModel(path) ? (path.split('/')[1] ?? path) : 'app';
}
