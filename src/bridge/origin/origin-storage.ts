import { STORED_MODELS_FOLDER } from '../../protocol/download-tasks.ts';
import type { OriginStorage, StoredItem } from '../../protocol/page/privacy-facts.ts';
import { isSameScript, OWN_NAME, serviceWorkerScripts } from '../origin-occupants.ts';

/** The parts of a window that keep something. Each may throw where the browser forbids it. */
export interface StorageScope {
  readonly localStorage: Storage;
  readonly sessionStorage: Storage;
  readonly caches: CacheStorage;
  readonly indexedDB: Pick<IDBFactory, 'databases' | 'deleteDatabase'>;
  readonly navigator: Pick<Navigator, 'serviceWorker' | 'storage' | 'locks'>;
}

/** What is kept at this origin. What the browser forbids to look at is left out: it forbids to keep something there, too. */
export function listOriginStorage(folder: string, scope: StorageScope = window): Promise<OriginStorage> {
  return withStorageLock('shared', scope, () => list(folder, scope));
}

/** Tabs that look at what is kept hold this lock together, one that clears it holds it alone. */
const STORAGE_LOCK = 'lightwell looking at what is kept';

/** To look at a cache is to open it by its name, which makes it again where it has just been cleared: nobody looks meanwhile. */
async function withStorageLock<T>(
  mode: LockMode,
  { navigator: { locks } }: StorageScope,
  work: () => Promise<T>,
): Promise<T> {
  const mayLock = await locks?.query().then(
    () => true,
    () => false, // forbidden, as caches are then
  );
  return mayLock ? locks.request(STORAGE_LOCK, { mode }, work) : work();
}

async function list(folder: string, scope: StorageScope): Promise<OriginStorage> {
  const found = await Promise.all([
    emptyOnError(async () => textsIn(scope.localStorage, 'text')),
    emptyOnError(async () => textsIn(scope.sessionStorage, 'text of this tab')),
    emptyOnError(() => cachesIn(scope.caches)),
    emptyOnError(() => databasesIn(scope.indexedDB)),
    emptyOnError(() => modelsIn(scope.navigator.storage)),
    emptyOnError(() => serviceWorkersOf(folder, scope)),
  ]);
  const estimate = await scope.navigator.storage?.estimate().catch(() => undefined);
  return {
    items: found.flat(),
    usedBytes: estimate?.usage ?? null,
    allowedBytes: estimate?.quota ?? null,
    tabs: await tabsOf(folder, scope),
  };
}

/**
 * Removes all that is the app's own: of a shared origin, the rest stays. The service worker goes last, so that no file is asked
 * of the host meanwhile.
 *
 * @returns  what was removed
 */
export function clearOriginStorage(folder: string, scope: StorageScope = window): Promise<readonly StoredItem[]> {
  return withStorageLock('exclusive', scope, () => clear(folder, scope));
}

async function clear(folder: string, scope: StorageScope): Promise<readonly StoredItem[]> {
  const own = (await list(folder, scope)).items.filter(({ isOwn }) => isOwn);
  for (const { kind, name } of own) await remove(kind, name, folder, scope);
  const left = (await list(folder, scope)).items;
  return own.filter(({ kind, name }) => !left.some((thing) => thing.kind === kind && thing.name === name));
}

async function remove(kind: StoredItem['kind'], name: string, folder: string, scope: StorageScope): Promise<void> {
  switch (kind) {
    case 'text':
      return scope.localStorage.removeItem(name);
    case 'text of this tab':
      return scope.sessionStorage.removeItem(name);
    case 'cache':
      return void (await scope.caches.delete(name));
    case 'database':
      return void (await deleted(scope.indexedDB.deleteDatabase(name)));
    case 'models':
      return (await scope.navigator.storage.getDirectory()).removeEntry(name, { recursive: true });
    case 'service worker':
      return void (await (await scope.navigator.serviceWorker.getRegistration(folder))?.unregister());
  }
}

async function emptyOnError(look: () => Promise<readonly StoredItem[]>): Promise<readonly StoredItem[]> {
  try {
    return await look();
  } catch {
    return []; // forbidden
  }
}

/** Texts are kept in two bytes a character. */
const BYTES_OF_CHARACTER = 2;

function textsIn(storage: Storage, kind: StoredItem['kind']): StoredItem[] {
  return Object.keys(storage).map((name) => {
    const bytes = BYTES_OF_CHARACTER * (name.length + (storage.getItem(name) ?? '').length);
    return { kind, name, bytes, files: null, isOwn: OWN_NAME.test(name) };
  });
}

async function cachesIn(caches: CacheStorage): Promise<StoredItem[]> {
  const sizeOf = async (name: string): Promise<StoredItem> => {
    const responses = await (await caches.open(name)).matchAll();
    const bytes = responses.reduce((sum, { headers }) => sum + Number(headers.get('Content-Length') ?? 0), 0);
    return { kind: 'cache', name, bytes, files: responses.length, isOwn: OWN_NAME.test(name) };
  };
  return Promise.all((await caches.keys()).map(sizeOf));
}

async function databasesIn(indexedDB: StorageScope['indexedDB']): Promise<StoredItem[]> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  return names.map((name) => ({ kind: 'database', name, bytes: null, files: null, isOwn: OWN_NAME.test(name) }));
}

/** The folder of the models in the private file system: the size of all files in it. */
async function modelsIn(storage: StorageManager): Promise<StoredItem[]> {
  const folder = await (await storage.getDirectory()).getDirectoryHandle(STORED_MODELS_FOLDER);
  const { bytes, files } = await sizeOf(folder);
  return [{ kind: 'models', name: STORED_MODELS_FOLDER, bytes, files, isOwn: true }];
}

async function sizeOf(folder: FileSystemDirectoryHandle): Promise<{ readonly bytes: number; readonly files: number }> {
  let [bytes, files] = [0, 0];
  for await (const inner of folder.values()) {
    const isFolder = inner.kind === 'directory';
    const size = isFolder
      ? await sizeOf(inner as FileSystemDirectoryHandle)
      : await (inner as FileSystemFileHandle).getFile();
    bytes += 'files' in size ? size.bytes : size.size;
    files += 'files' in size ? size.files : 1;
  }
  return { bytes, files };
}

async function serviceWorkersOf(folder: string, { navigator }: StorageScope): Promise<StoredItem[]> {
  const isOwn = isSameScript(`${folder}service-worker.js`);
  const names = await serviceWorkerScripts(navigator.serviceWorker);
  return names.map((name) => ({ kind: 'service worker', name, bytes: null, files: null, isOwn: isOwn(name) }));
}

function deleted(request: IDBOpenDBRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve();
    request.onblocked = () => resolve(); // open in another tab: it goes when that is closed
    request.onerror = () => reject(request.error ?? new Error('a database could not be deleted'));
  });
}

/** Tabs of the site hold this lock together, so that a tab can tell whether it is alone. */
export const TABS_LOCK = 'lightwell tabs of ';

async function tabsOf(folder: string, { navigator }: StorageScope): Promise<number> {
  const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {};
  return Math.max(1, held.filter(({ name }) => name === TABS_LOCK + folder).length);
}
