import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createFileCache, createOfflineCache } from '../../../../src/bridge/offline/start-offline.ts';
import { runtimeBuild } from '../../../../src/protocol/page/runtime-builds.ts';
import { cacheOf, keyOfServed, type OfflineFacts, type SiteFiles } from '../../../../src/protocol/page/site-files.ts';

const FOLDER = 'https://host.example/tools/lightwell/';
const HOME = '/tools/lightwell/';
const SERVED = new URL(keyOfServed(HOME), FOLDER).href;

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A build, by path and content. */
type Build = Readonly<Record<string, string>>;

const FIRST: Build = { 'index.html': 'one', 'assets/a-1.js': 'a', 'models/m/x.onnx': 'weights' };
const SECOND: Build = { 'index.html': 'two', 'assets/a-2.js': 'aa', 'models/m/x.onnx': 'weights' };

function listOf(build: Build): SiteFiles {
  const files = Object.fromEntries(
    Object.entries(build).map(([path, text]) => [path, [text.length, hash(text)] as const]),
  );
  return { version: hash(JSON.stringify(files)), headers: 'h', files };
}

/** Caches as the browser has them, over a map. */
function fakeCaches() {
  const entries = new Map<string, Response>();
  const full = (key: RequestInfo | URL) => new URL(key instanceof Request ? key.url : key, FOLDER).href;
  const cache = {
    match: async (key: string) => entries.get(full(key))?.clone(),
    put: async (key: string, response: Response) => void entries.set(full(key), response),
    delete: async (key: string) => entries.delete(full(key)),
    keys: async () => [...entries.keys()].map((url) => new Request(url)),
  };
  const open = vi.fn(async () => cache as unknown as Cache);
  return { entries, open };
}

/** A device with a host; both can change. */
function device(build: Build) {
  const state: { build: Build | null; lost: string | null; tabs: number } = { build, lost: null, tabs: 1 };
  const asked: string[] = [];
  const get = async (url: string | URL | Request) => {
    const path = String(url).slice(FOLDER.length);
    asked.push(path);
    if (state.build === null) throw new TypeError('Failed to fetch');
    if (path === 'site-files.json') return Response.json(listOf(state.build));
    const text = path === state.lost ? undefined : state.build[path];
    return text === undefined ? new Response('', { status: 404 }) : new Response(text);
  };
  const caches = fakeCaches();
  const seen: OfflineFacts[] = [];
  const tell = vi.fn();
  const locks = {
    request: async (_name: string, ...rest: unknown[]) => {
      const work = rest.at(-1) as () => Promise<unknown>;
      return rest.length > 1 ? new Promise(() => undefined) : work();
    },
    query: async () => ({ held: Array.from({ length: state.tabs }, () => ({ name: `lightwell tabs of ${FOLDER}` })) }),
  };
  const offline = createOfflineCache({
    folder: FOLDER,
    cache: createFileCache(FOLDER, caches),
    locks: locks as unknown as LockManager,
    onState: (next) => seen.push(next),
    tell,
    fetch: get,
  });
  const served = async () => ((await caches.entries.get(SERVED)?.clone().json()) as SiteFiles | undefined)?.version;
  const contents = async () => {
    const kept = [...caches.entries].filter(([key]) => key !== SERVED);
    return Promise.all(kept.map(([, response]) => response.clone().text()));
  };
  return { state, offline, asked, caches, seen, tell, served, contents };
}

describe('keeping the files', () => {
  it('fetches what is missing, what the page starts with first, and serves it before the models are here', async () => {
    const { offline, asked, caches, seen, tell, served, contents } = device(FIRST);
    await offline.download();
    expect(caches.open).toHaveBeenCalledWith(cacheOf(HOME));
    expect(asked.filter((path) => path !== 'site-files.json')).toEqual(Object.keys(FIRST));
    expect(await served()).toBe(listOf(FIRST).version);
    expect(tell).toHaveBeenCalledExactlyOnceWith('site-changed');
    expect(await contents()).toEqual(['one', 'a', 'weights']);
    expect(seen.at(-1)).toEqual({
      parts: [
        { name: 'app', bytes: 4, cachedBytes: 4 },
        { name: 'm', bytes: 7, cachedBytes: 7 },
      ],
      isDownloading: false,
      problem: null,
      hasOlder: false,
      isNewer: false,
    });
    await offline.download(); // nothing more
    expect(asked.filter((path) => path !== 'site-files.json')).toHaveLength(3);
  });

  it('leaves out the build of ONNX Runtime that this browser does not run', async () => {
    const both = ['jspi', 'asyncify'].map((build) => `assets/ort-wasm-simd-threaded.${build}-1.wasm`);
    const { offline, asked, seen } = device({ ...FIRST, ...Object.fromEntries(both.map((path) => [path, 'wasm'])) });
    await offline.download();
    const own = both.filter((path) => path.includes(runtimeBuild()));
    expect(both.filter((path) => asked.includes(path))).toEqual(own);
    expect(seen.at(-1)?.parts[0]).toEqual({ name: 'app', bytes: 8, cachedBytes: 8 });
  });

  it('goes on where it was broken off, and serves nothing before the page can start', async () => {
    const { state, offline, asked, seen, served } = device(FIRST);
    state.lost = 'assets/a-1.js';
    await offline.download();
    expect(seen.at(-1)).toMatchObject({
      isDownloading: false,
      problem: expect.stringContaining('a-1.js answered 404'),
    });
    expect(await served()).toBeUndefined();
    state.lost = null;
    asked.length = 0;
    await offline.download();
    expect(asked.filter((path) => path !== 'site-files.json')).toEqual(['assets/a-1.js', 'models/m/x.onnx']);
    expect([await served(), seen.at(-1)?.problem]).toEqual([listOf(FIRST).version, null]);
  });

  it('offers a newer version when all of it is here, and never serves it unasked', async () => {
    const { state, offline, asked, seen, tell, served, contents } = device(FIRST);
    await offline.download();
    state.build = SECOND;
    await offline.refresh();
    expect(seen.at(-1)).toMatchObject({
      isNewer: false,
      parts: [
        { name: 'app', bytes: 5, cachedBytes: 0 },
        { name: 'm', cachedBytes: 7 },
      ],
    });
    asked.length = 0;
    await offline.download();
    expect(asked.filter((path) => path !== 'site-files.json')).toEqual(['index.html', 'assets/a-2.js']); // not the model
    expect([seen.at(-1)?.isNewer, await served()]).toEqual([true, listOf(FIRST).version]);
    expect(await contents()).toEqual(['one', 'a', 'weights', 'two', 'aa']);
    await offline.update();
    expect([await served(), tell.mock.calls.length]).toEqual([listOf(SECOND).version, 2]);
    state.tabs = 2; // one still shows the first version
    await offline.download();
    expect(await contents()).toContain('a');
    state.tabs = 1;
    await offline.download();
    expect((await contents()).toSorted()).toEqual(['aa', 'two', 'weights']);
  });

  it('keeps nothing any more once it is stopped', async () => {
    const { offline, contents, seen, served } = device(FIRST);
    const keeping = offline.download();
    offline.stop();
    await keeping;
    expect([await contents(), await served()]).toEqual([[], undefined]);
    expect(seen.at(-1)).toMatchObject({ isDownloading: false, problem: 'Nothing is kept any more' });
  });

  it('opens the cache no more once it is stopped: a deleted one would be there again', async () => {
    const { offline, caches, seen } = device(FIRST);
    await offline.download();
    offline.stop();
    const opened = caches.open.mock.calls.length;
    await Promise.all([offline.refresh(), offline.download(), offline.update()]);
    expect(caches.open).toHaveBeenCalledTimes(opened);
    expect(seen.at(-1)).toMatchObject({ isDownloading: false, problem: 'Nothing is kept any more' });
  });

  it('knows what is here where the host cannot be reached', async () => {
    const { state, offline, seen } = device(FIRST);
    state.build = null;
    await offline.download();
    expect(seen.at(-1)).toMatchObject({ parts: [], problem: expect.stringContaining('cannot be reached') });
    state.build = FIRST;
    await offline.download();
    state.build = null;
    await offline.refresh();
    expect(seen.at(-1)).toMatchObject({
      isNewer: false,
      problem: null,
      parts: [{ cachedBytes: 4 }, { cachedBytes: 7 }],
    });
  });
});
