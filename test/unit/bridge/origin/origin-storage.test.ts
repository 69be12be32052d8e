import { describe, expect, it } from 'vitest';
import {
  clearOriginStorage,
  listOriginStorage,
  type StorageScope,
} from '../../../../src/bridge/origin/origin-storage.ts';
import { createFakeLocks } from '../../../support/fakes/fake-locks.ts';

const FOLDER = 'https://host.example/tools/lightwell/';
const SCRIPT = `${FOLDER}service-worker.js?isolate`;

/** A storage whose keys are properties of it, as the browser's are. */
function fakeStorage(texts: Readonly<Record<string, string>>): Storage {
  const storage = { ...texts } as Record<string, unknown>;
  const hidden = (name: string, value: unknown) => Object.defineProperty(storage, name, { value, enumerable: false });
  hidden('getItem', (key: string) => storage[key] ?? null);
  hidden('removeItem', (key: string) => delete storage[key]);
  return storage as unknown as Storage;
}

/** An origin that another page uses as well. */
function origin() {
  const caches = new Map([
    ['lightwell:/tools/lightwell/', [5, 7]],
    ['theirs', [1]],
  ]);
  const databases = new Set(['lightwell.documents', 'theirs']);
  const scripts = new Set([SCRIPT, 'https://host.example/other/sw.js']);
  const open = async (name: string) => {
    if (!caches.has(name)) caches.set(name, []); // as the browser does
    const sizes = caches.get(name) ?? [];
    return {
      matchAll: async () => sizes.map((bytes) => new Response('', { headers: { 'Content-Length': `${bytes}` } })),
    };
  };
  const scope = {
    localStorage: fakeStorage({ 'lightwell.token': 'abcd', todos: '[]' }),
    sessionStorage: fakeStorage({ 'lightwell.reloaded-to-isolate': 'yes' }),
    caches: { open, keys: async () => [...caches.keys()], delete: async (name: string) => caches.delete(name) },
    indexedDB: {
      databases: async () => [...databases].map((name) => ({ name, version: 1 })),
      deleteDatabase(name: string) {
        databases.delete(name);
        const request = { onsuccess: () => undefined as void };
        queueMicrotask(() => request.onsuccess());
        return request;
      },
    },
    navigator: {
      serviceWorker: {
        getRegistrations: async () => [...scripts].map((scriptURL) => ({ active: { scriptURL } })),
        getRegistration: async () => ({ unregister: async () => scripts.delete(SCRIPT) }),
      },
      storage: { estimate: async () => ({ usage: 3, quota: 10 }) },
      locks: {
        request: createFakeLocks().request,
        query: async () => ({
          held: [{ name: `lightwell tabs of ${FOLDER}` }, { name: `lightwell tabs of ${FOLDER}` }],
        }),
      },
    },
  };
  return scope as unknown as StorageScope;
}

const namesOf = (things: readonly { readonly name: string }[]) => things.map(({ name }) => name);

describe('what is kept', () => {
  it('is listed with its sizes, the app’s own and that of others', async () => {
    const { items, ...facts } = await listOriginStorage(FOLDER, origin());
    expect(facts).toEqual({ usedBytes: 3, allowedBytes: 10, tabs: 2 });
    expect(items.map(({ kind, name, bytes, files, isOwn }) => [kind, name, bytes, files, isOwn])).toEqual([
      ['text', 'lightwell.token', 38, null, true],
      ['text', 'todos', 14, null, false],
      ['text of this tab', 'lightwell.reloaded-to-isolate', 64, null, true],
      ['cache', 'lightwell:/tools/lightwell/', 12, 2, true],
      ['cache', 'theirs', 1, 1, false],
      ['database', 'lightwell.documents', null, null, true],
      ['database', 'theirs', null, null, false],
      ['service worker', SCRIPT, null, null, true],
      ['service worker', 'https://host.example/other/sw.js', null, null, false],
    ]);
  });

  it('is cleared as far as it is the app’s own', async () => {
    const scope = origin();
    const gone = await clearOriginStorage(FOLDER, scope);
    expect(namesOf(gone)).toEqual([
      'lightwell.token',
      'lightwell.reloaded-to-isolate',
      'lightwell:/tools/lightwell/',
      'lightwell.documents',
      SCRIPT,
    ]);
    const others = ['todos', 'theirs', 'theirs', 'https://host.example/other/sw.js'];
    expect(namesOf((await listOriginStorage(FOLDER, scope)).items)).toEqual(others);
  });

  it('stays cleared where something looks meanwhile, which opens caches by the names that it has read', async () => {
    const scope = origin();
    const { keys, delete: remove } = scope.caches;
    const looks: Promise<unknown>[] = [];
    const caches = {
      async keys() {
        const names = await keys();
        await new Promise((resolve) => setTimeout(resolve, 1));
        return names;
      },
      delete(name: string) {
        looks.push(listOriginStorage(FOLDER, scope));
        return remove(name);
      },
    };
    Object.assign(scope.caches, caches);
    const gone = await clearOriginStorage(FOLDER, scope);
    await Promise.all(looks);
    expect(namesOf(gone)).toContain('lightwell:/tools/lightwell/');
    expect(namesOf((await listOriginStorage(FOLDER, scope)).items)).not.toContain('lightwell:/tools/lightwell/');
  });

  it('is nothing where the browser forbids to look', async () => {
    const get = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const scope = { navigator: {} } as unknown as StorageScope;
    for (const name of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])
      Object.defineProperty(scope, name, { get });
    const nothing = { items: [], usedBytes: null, allowedBytes: null, tabs: 1 };
    expect(await listOriginStorage(FOLDER, scope)).toEqual(nothing);
    expect(await clearOriginStorage(FOLDER, scope)).toEqual([]);
  });
});
