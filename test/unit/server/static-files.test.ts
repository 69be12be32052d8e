import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PAGE_HEADERS } from '../../../src/protocol/page/headers.ts';
import { startServer, type RunningServer } from '../../../server/serve.ts';

const SCRIPT = 'export const a = 1;\n'.repeat(100);

let folder: string;
let server: RunningServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lightwell-site-'));
  const root = join(folder, 'dist');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'index.html'), '<!doctype html>');
  writeFileSync(join(root, 'model.onnx'), 'onnx');
  writeFileSync(join(root, 'assets/a.js'), SCRIPT);
  writeFileSync(join(root, 'assets/a.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(root, 'assets/a.js.gz'), gzipSync(SCRIPT));
  server = await startServer({ root, port: 0 });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: number;
}

/** A request whose path goes as it is, which `fetch` would tidy up, and whose answer is not unpacked. */
function send(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Reply> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    httpRequest({ hostname, port, path, method, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, bytes }));
    })
      .on('error', reject)
      .end();
  });
}

describe('static files', () => {
  it('have the headers that isolate a page and keep it to its origin', async () => {
    for (const path of ['/', '/assets/a.js', '/nothing'])
      expect((await send(path)).headers).toMatchObject(
        Object.fromEntries(Object.entries(PAGE_HEADERS).map(([name, value]) => [name.toLowerCase(), value])),
      );
  });

  it('are kept for good where their name has a hash, and asked about otherwise', async () => {
    const [page, script] = [await send('/'), await send('/assets/a.js')];
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const again = await send('/', { 'If-None-Match': page.headers.etag as string });
    expect([again.status, again.bytes]).toEqual([304, 0]);
  });

  it.each([
    ['identity', undefined, SCRIPT.length],
    ['br', 'br', brotliCompressSync(SCRIPT).length],
    ['gzip, deflate, br', 'br', brotliCompressSync(SCRIPT).length],
    ['gzip', 'gzip', gzipSync(SCRIPT).length],
    ['gzip, br;q=0', 'gzip', gzipSync(SCRIPT).length],
    ['br; q=0.0, gzip;q=0', undefined, SCRIPT.length],
  ])('are sent to a client that reads %s as %s', async (accepted, encoding, bytes) => {
    const reply = await send('/assets/a.js', { 'Accept-Encoding': accepted });
    expect([reply.bytes, reply.headers['content-length']]).toEqual([bytes, String(bytes)]);
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(reply.headers['x-uncompressed-length']).toBe(encoding && String(SCRIPT.length));
    expect(reply.headers).toMatchObject({ 'content-type': 'text/javascript', vary: 'Accept-Encoding' });
  });

  it('have another ETag in each form', async () => {
    const forms = ['identity', 'br', 'gzip'].map((encoding) => send('/assets/a.js', { 'Accept-Encoding': encoding }));
    expect(new Set((await Promise.all(forms)).map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('answer HEAD without a body', async () => {
    const { status, bytes, headers } = await send('/assets/a.js', {}, 'HEAD');
    expect([status, bytes, headers['content-length']]).toEqual([200, 0, String(SCRIPT.length)]);
  });

  it.each([
    ['a link that is followed', 'cross-site', 'navigate', 'document', 200],
    ['an address that is typed', 'none', 'navigate', 'document', 200],
    ['our own page', 'same-origin', 'cors', 'script', 200],
    ['a picture on a foreign page', 'cross-site', 'no-cors', 'image', 403],
    ['a frame on another port of this machine', 'same-site', 'navigate', 'iframe', 403],
    ['an object on a foreign page', 'cross-site', 'navigate', 'object', 403],
  ])('answer %s', async (_name, site, mode, dest, status) => {
    const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': dest };
    expect((await send('/', headers)).status).toBe(status);
  });

  it('have a type where browsers insist on one', async () =>
    expect((await send('/model.onnx')).headers['content-type']).toBe('application/octet-stream'));

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('are only read: %s', async (method) => {
    const { status, headers } = await send('/', {}, method);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['bytes=5-2', 'bytes=0-0', 'bytes=-5', 'bytes=99999-', 'nonsense'])(
    'are sent whole for a range: %s',
    async (range) =>
      expect(await send('/assets/a.js', { Range: range })).toMatchObject({ status: 200, bytes: SCRIPT.length }),
  );

  it.each([
    '/nothing',
    '/assets',
    '/assets/',
    '/index',
    '/index.html/',
    '/assets/a.js.br',
    '/assets/a.js.gz',
    '//',
    '/.',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/..%5csecret.txt',
    '/%00',
    '/index.html%00',
    '/%zz',
    '/__proto__',
    '/constructor',
  ])('are not at %s', async (path) => expect((await send(path)).status).toBe(404));

  it('are those of the newest build', async () => {
    writeFileSync(join(folder, 'dist/index.html'), '<!doctype html><title>New</title>');
    expect((await send('/?query#fragment')).bytes).toBe(33);
  });
});
