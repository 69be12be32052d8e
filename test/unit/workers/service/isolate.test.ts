import { describe, expect, it } from 'vitest';
import { PAGE_HEADERS } from '../../../../src/protocol/page/headers.ts';
import { withIsolationHeaders, needsIsolation, type SiteRequest } from '../../../../workers/service/site.ts';

const SCOPE = 'https://host.example/tools/lightwell/';

/** A request as the service worker sees it; Node makes none that navigates. */
function asked(path: string, more: Partial<SiteRequest> = {}): SiteRequest {
  const plain = { method: 'GET', mode: 'cors', destination: '', cache: 'default', headers: new Headers() } as const;
  return { ...plain, url: new URL(path, SCOPE).href, ...more };
}

const DOCUMENT = { mode: 'navigate', destination: 'document' } as const;
const WORKER = { mode: 'same-origin', destination: 'worker' } as const;

describe('needsIsolation', () => {
  it.each([
    ['the page', asked('./', DOCUMENT)],
    ['the page with a query', asked('./?backend=wasm', DOCUMENT)],
    ['the page by its name', asked('index.html', DOCUMENT)],
    ['the script of a worker', asked('assets/inference.worker-x.js', WORKER)],
  ])('holds for %s', (_name, request) => expect(needsIsolation(request, SCOPE)).toBe(true));

  it.each([
    ['WebAssembly, which is streamed and compiled as without us', asked('assets/ort.wasm')],
    ['a script', asked('assets/index.js', { destination: 'script' })],
    ['a model', asked('models/lightwell-base/onnx/model.onnx')],
    ['a part of a file', asked('assets/w.js', { ...WORKER, headers: new Headers({ Range: 'bytes=0-9' }) })],
    ['a form that is sent', asked('./', { ...DOCUMENT, method: 'POST' })],
    ['what may come from the cache alone', asked('./', { ...DOCUMENT, cache: 'only-if-cached' })],
    ['another page below ours', asked('other/', DOCUMENT)],
    ['another page beside ours', asked('/', DOCUMENT)],
    ['a worker of another page', asked('/assets/worker.js', WORKER)],
    ['another origin', asked('https://other.example/tools/lightwell/', DOCUMENT)],
  ])('leaves %s alone', (_name, request) => expect(needsIsolation(request, SCOPE)).toBe(false));
});

describe('isolated', () => {
  it('adds the headers and keeps the rest', async () => {
    const response = withIsolationHeaders(
      new Response('<p>', { status: 404, statusText: 'No', headers: { 'X-Other': 'y' } }),
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...Object.fromEntries(Object.entries(PAGE_HEADERS).map(([name, value]) => [name.toLowerCase(), value])),
      'x-other': 'y',
    });
    expect([response.status, response.statusText, await response.text()]).toEqual([404, 'No', '<p>']);
  });

  it('hands a body on as it comes', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const reader = withIsolationHeaders(new Response(readable)).body?.getReader();
    const writer = writable.getWriter();
    void writer.write(Uint8Array.of(7)); // and no end
    expect(await reader?.read()).toEqual({ done: false, value: Uint8Array.of(7) });
  });

  it('changes no header that the host sends', () => {
    const own = withIsolationHeaders(
      new Response('', { headers: { 'Cross-Origin-Embedder-Policy': 'credentialless' } }),
    );
    expect(own.headers.get('Cross-Origin-Embedder-Policy')).toBe('credentialless');
    const whole = new Response('', { headers: PAGE_HEADERS });
    expect(withIsolationHeaders(whole)).toBe(whole);
  });

  it('lets an error pass', () => {
    const error = Response.error();
    expect(withIsolationHeaders(error)).toBe(error);
  });
});
