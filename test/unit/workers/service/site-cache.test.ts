import { describe, expect, it } from 'vitest';
import { keyOfFile, keyOfServed, type SiteFiles } from '../../../../src/protocol/page/site-files.ts';
import { createSiteCache, type SiteRequest } from '../../../../workers/service/site.ts';

const HOME = '/tools/lightwell/';
const ORIGIN = 'https://host.example';

function list(version: string, paths: readonly string[]): SiteFiles {
  const hash = version.repeat(64);
  return { version, headers: 'h', files: Object.fromEntries(paths.map((path) => [path, [1, hash] as const])) };
}

const OLD = list('a', ['index.html', 'lightwell.js', 'assets/page-1.js']);
const NEW = list('b', ['index.html', 'lightwell.js', 'assets/page-2.js']);

/** Kept files of both versions; `served` may change. */
function keptFiles(served: SiteFiles | null) {
  const state = { served, deleted: false };
  const entries = new Map<string, string>();
  for (const version of [OLD, NEW])
    for (const path of Object.keys(version.files))
      entries.set(keyOfFile(HOME, path, version), `${version.version} ${path}`);
  const kept = createSiteCache(
    { origin: ORIGIN, pathname: HOME },
    {
      match: async (key, { cacheName, ignoreSearch } = {}) => {
        expect(cacheName).toBe(`lightwell:${HOME}`);
        if (key === keyOfServed(HOME)) return state.served ? Response.json(state.served) : undefined;
        const found = [...entries].find(([each]) => (ignoreSearch ? each.split('?')[0] : each) === String(key));
        return found && new Response(found[1]);
      },
      delete: async () => (state.deleted = true),
    },
  );
  return { kept, state };
}

function asked(path: string, more: Partial<SiteRequest> = {}): SiteRequest {
  const plain = { method: 'GET', mode: 'cors', destination: '', cache: 'default', headers: new Headers() } as const;
  return { ...plain, url: new URL(path, ORIGIN + HOME).href, ...more };
}

const DOCUMENT = { mode: 'navigate', cache: 'no-cache' } as const;
const TAB = { clientId: 'tab', resultingClientId: '' };
const opening = (resultingClientId: string) => ({ clientId: '', resultingClientId });
const textOf = (response: Response | undefined) => response?.text();

describe('the kept files', () => {
  it.each([
    ['the page', asked('./', DOCUMENT)],
    ['the page with a query, reloaded', asked('./?backend=wasm', DOCUMENT)],
    ['the page by its name', asked('index.html', DOCUMENT)],
    ['a script', asked('assets/page-1.js')],
    ['a model', asked('models/m/model.onnx')],
  ])('may have %s', (_name, request) => expect(keptFiles(OLD).kept.mayServe(request)).toBe(true));

  it.each([
    ['a file past the cache', asked('lightwell.js', { cache: 'reload' })],
    ['a file that is to be asked about', asked('lightwell.js', { cache: 'no-cache' })],
    ['a part of a file', asked('m.onnx', { headers: new Headers({ Range: 'bytes=0-9' }) })],
    ['what is sent', asked('./', { method: 'POST' })],
    ['another page below', asked('other/', DOCUMENT)],
    ['a file beside the folder', asked('/other.js')],
    ['another origin', asked('https://other.example/tools/lightwell/lightwell.js')],
  ])('have nothing for %s', (_name, request) => expect(keptFiles(OLD).kept.mayServe(request)).toBe(false));

  it('are of the version that is served, and of none before one is', async () => {
    const { kept, state } = keptFiles(null);
    expect(await kept.find(asked('lightwell.js'), TAB)).toBeUndefined();
    expect(kept.mayServe(asked('lightwell.js'))).toBe(false); // known by now
    state.served = OLD;
    kept.changed();
    expect(kept.mayServe(asked('lightwell.js'))).toBe(true);
    expect(await textOf(await kept.find(asked('lightwell.js'), TAB))).toBe('a lightwell.js');
    expect(await textOf(await kept.find(asked('./', DOCUMENT), opening('x')))).toBe('a index.html');
    expect(await kept.find(asked('nothing.js'), TAB)).toBeUndefined();
  });

  it('stay those of a document that was opened before another version was served', async () => {
    const { kept, state } = keptFiles(OLD);
    expect(await textOf(await kept.find(asked('./', DOCUMENT), opening('tab')))).toBe('a index.html');
    state.served = NEW;
    kept.changed();
    expect(await textOf(await kept.find(asked('lightwell.js'), TAB))).toBe('a lightwell.js');
    expect(await textOf(await kept.find(asked('./', DOCUMENT), opening('next')))).toBe('b index.html');
    const next = { clientId: 'next', resultingClientId: '' };
    expect(await textOf(await kept.find(asked('lightwell.js'), next))).toBe('b lightwell.js');
    // Its worker, or a tab that this service worker does not know: the name holds the content.
    const unknown = { clientId: 'worker', resultingClientId: '' };
    expect(await textOf(await kept.find(asked('assets/page-1.js'), unknown))).toBe('a assets/page-1.js');
  });

  it('are none where the browser forbids its caches, or holds a damaged list', async () => {
    const refuse = () => Promise.reject(new DOMException('denied', 'SecurityError'));
    const address = { origin: ORIGIN, pathname: HOME };
    const forbidden = createSiteCache(address, { match: refuse, delete: refuse });
    expect(await forbidden.find(asked('./', DOCUMENT), opening('x'))).toBeUndefined();
    expect(await forbidden.remove()).toBe(false);
    const damaged = createSiteCache(address, { match: async () => Response.json({ files: 3 }), delete: refuse });
    expect(await damaged.find(asked('./', DOCUMENT), opening('x'))).toBeUndefined();
  });

  it('can be removed', async () => {
    const { kept, state } = keptFiles(OLD);
    await kept.remove();
    expect(state.deleted).toBe(true);
  });
});
