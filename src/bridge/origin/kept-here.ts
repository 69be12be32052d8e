import { KEPT_MODELS } from '../../protocol/keeping/kept-model.ts';
import type { KeptHere, KeptThing } from '../../protocol/page/kept-things.ts';
import { isScript, OWN_NAME } from '../strangers.ts';

/** The parts of a window that keep something. Each may throw where the browser forbids it. */
export interface Keeping {
  readonly localStorage: Storage;
  readonly sessionStorage: Storage;
  readonly caches: CacheStorage;
  readonly indexedDB: Pick<IDBFactory, 'databases' | 'deleteDatabase'>;
  readonly navigator: Pick<Navigator, 'serviceWorker' | 'storage' | 'locks'>;
}

/** What is kept at this origin. What the browser forbids to look at is left out: it forbids to keep something there, too. */
export function keptHere(folder: string, scope: Keeping = window): Promise<KeptHere> {
  return inTurn('shared', scope, () => look(folder, scope));
}

/** Tabs that look at what is kept hold this lock together, one that clears it holds it alone. */
const LOOKING_LOCK = 'lightwell looking at what is kept';

/** To look at a cache is to open it by its name, which makes it again where it has just been cleared: nobody looks meanwhile. */
async function inTurn<T>(mode: LockMode, { navigator: { locks } }: Keeping, work: () => Promise<T>): Promise<T> {
  const mayLock = await locks?.query().then(
    () => true,
    () => false, // forbidden, as caches are then
  );
  return mayLock ? locks.request(LOOKING_LOCK, { mode }, work) : work();
}

async function look(folder: string, scope: Keeping): Promise<KeptHere> {
  const found = await Promise.all([
    orNone(async () => textsIn(scope.localStorage, 'text')),
    orNone(async () => textsIn(scope.sessionStorage, 'text of this tab')),
    orNone(() => cachesIn(scope.caches)),
    orNone(() => databasesIn(scope.indexedDB)),
    orNone(() => modelsIn(scope.navigator.storage)),
    orNone(() => serviceWorkersOf(folder, scope)),
  ]);
  const estimate = await scope.navigator.storage?.estimate().catch(() => undefined);
  return {
    things: found.flat(),
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
export function clearHere(folder: string, scope: Keeping = window): Promise<readonly KeptThing[]> {
  return inTurn('exclusive', scope, () => clear(folder, scope));
}

async function clear(folder: string, scope: Keeping): Promise<readonly KeptThing[]> {
  const own = (await look(folder, scope)).things.filter(({ isOwn }) => isOwn);
  for (const { kind, name } of own) await remove(kind, name, folder, scope);
  const left = (await look(folder, scope)).things;
  return own.filter(({ kind, name }) => !left.some((thing) => thing.kind === kind && thing.name === name));
}

async function remove(kind: KeptThing['kind'], name: string, folder: string, scope: Keeping): Promise<void> {
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

async function orNone(look: () => Promise<readonly KeptThing[]>): Promise<readonly KeptThing[]> {
  try {
    return await look();
  } catch {
    return []; // forbidden
  }
}

/** Texts are kept in two bytes a character. */
const BYTES_OF_CHARACTER = 2;

function textsIn(storage: Storage, kind: KeptThing['kind']): KeptThing[] {
  return Object.keys(storage).map((name) => {
    const bytes = BYTES_OF_CHARACTER * (name.length + (storage.getItem(name) ?? '').length);
    return { kind, name, bytes, files: null, isOwn: OWN_NAME.test(name) };
  });
}

async function cachesIn(caches: CacheStorage): Promise<KeptThing[]> {
  const sizeOf = async (name: string): Promise<KeptThing> => {
    const responses = await (await caches.open(name)).matchAll();
    const bytes = responses.reduce((sum, { headers }) => sum + Number(headers.get('Content-Length') ?? 0), 0);
    return { kind: 'cache', name, bytes, files: responses.length, isOwn: OWN_NAME.test(name) };
  };
  return Promise.all((await caches.keys()).map(sizeOf));
}

async function databasesIn(indexedDB: Keeping['indexedDB']): Promise<KeptThing[]> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  return names.map((name) => ({ kind: 'database', name, bytes: null, files: null, isOwn: OWN_NAME.test(name) }));
}

/** The folder of the models in the private file system: the size of all files in it. */
async function modelsIn(storage: StorageManager): Promise<KeptThing[]> {
  const folder = await (await storage.getDirectory()).getDirectoryHandle(KEPT_MODELS);
  const { bytes, files } = await sizeOf(folder);
  return [{ kind: 'models', name: KEPT_MODELS, bytes, files, isOwn: true }];
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

async function serviceWorkersOf(folder: string, { navigator }: Keeping): Promise<KeptThing[]> {
  const isOwn = isScript(`${folder}service-worker.js`);
  const registrations = await navigator.serviceWorker.getRegistrations();
  return registrations.flatMap(({ active, waiting, installing }) => {
    const name = (active ?? waiting ?? installing)?.scriptURL;
    return name === undefined
      ? []
      : [{ kind: 'service worker', name, bytes: null, files: null, isOwn: isOwn(name) } as const];
  });
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

async function tabsOf(folder: string, { navigator }: Keeping): Promise<number> {
  const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {};
  return Math.max(1, held.filter(({ name }) => name === TABS_LOCK + folder).length);
}
