import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../server/serve.ts';

const FILES: Readonly<Record<string, string>> = {
  'dist/index.html': '<!doctype html>',
  'secret.json': '{}',
  'models/notes.txt': 'of nobody',
  'models/owner/one/config.json': '{"a":1}',
  'models/owner/one/onnx/config.json': '{}',
  'models/owner/one/onnx/model.onnx': '0123456789',
  'models/owner/one/onnx/model.onnx_data_1': 'data',
  'models/owner/one/run.sh': 'rm -rf /',
  'models/owner/one/.git/config.json': '{}',
  'models/owner/one/1_Pooling/config.json': '{}',
  'models/plain/config.json': '{}',
  'models/plain/model.onnx': 'graph',
  'models/plain/onnx/README.md': '',
  'models/plain/chat_template.jinja': '{{ messages }}',
  'models/plain/LICENSE': 'free',
  'models/zwei wörter/config.json': '{}',
  'models/.hidden/config.json': '{}',
  'models/blobs/abc': '{"linked":true}',
};

let folder: string;
let server: RunningServer;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lightwell-models-')));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  mkdirSync(join(folder, 'models/cached'));
  symlinkSync('../blobs/abc', join(folder, 'models/cached/config.json')); // as the hub's cache has it
  symlinkSync('../../secret.json', join(folder, 'models/cached/secret.json'));
  symlinkSync('..', join(folder, 'models/owner/loop'));
  server = await startServer({ root: join(folder, 'dist'), port: 0, models: join(folder, 'models') });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A request whose path goes as it is, which `fetch` would tidy up. */
function send(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  const { hostname, port } = new URL(server.url);
  return new Promise<{ status: number | undefined; headers: OutgoingHttpHeaders; body: string }>((resolve, reject) => {
    httpRequest({ hostname, port, path: `/local-models/${path}`, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('local models', () => {
  it('are listed by their relative names, with the sizes of their files and the time of the last change', async () => {
    const [modified, day] = [expect.any(Number), new Date(1e12)];
    for (const path of Object.keys(FILES)) if (path.startsWith('models/plain/')) utimesSync(join(folder, path), 0, day);
    utimesSync(join(folder, 'models/plain/LICENSE'), 0, 0);
    const { status, headers, body } = await send('');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(body)).toEqual([
      { name: 'cached', path: 'cached/', files: { 'config.json': 15 }, modified },
      {
        name: 'owner/one',
        path: 'owner/one/',
        files: {
          '1_Pooling/config.json': 2,
          'config.json': 7,
          'onnx/config.json': 2,
          'onnx/model.onnx': 10,
          'onnx/model.onnx_data_1': 4,
        },
        modified,
      },
      {
        name: 'plain',
        path: 'plain/',
        files: {
          LICENSE: 4,
          'chat_template.jinja': 14,
          'config.json': 2,
          'onnx/model.onnx': 5,
          'onnx/README.md': 0,
        },
        modified: 1e12,
      },
      { name: 'zwei wörter', path: 'zwei%20w%C3%B6rter/', files: { 'config.json': 2 }, modified },
    ]);
  });

  it.each([
    ['owner/one/config.json', 'application/json; charset=utf-8', '{"a":1}'],
    ['owner/one/onnx/model.onnx', 'application/octet-stream', '0123456789'],
    ['zwei%20w%C3%B6rter/config.json', 'application/json; charset=utf-8', '{}'],
    ['cached/config.json', 'application/json; charset=utf-8', '{"linked":true}'],
  ])('send %s', async (path, type, content) => {
    const { status, headers, body } = await send(path);
    expect([status, headers['content-type'], body]).toEqual([200, type, content]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    '../secret.json',
    '..%2Fsecret.json',
    'owner/../../secret.json',
    'owner/one/../../../secret.json',
    '%2e%2e/secret.json',
    'cached/secret.json',
    'owner/one/run.sh',
    'owner/one/.git/config.json',
    'notes.txt',
    '.hidden/config.json',
    'owner/one',
    'owner/one/',
    'owner/one//config.json',
    'owner/one/config.json%00',
    '%E0%A4%A',
    '/etc/passwd',
    'owner/loop/one/config.json',
    'blobs/abc',
    String.raw`owner\one\config.json`,
  ])('send nothing for %s', async (path) => {
    expect((await send(path)).status).toBe(404);
  });

  it('send parts, and the whole where the file has changed since', async () => {
    const path = 'owner/one/onnx/model.onnx';
    const { headers } = await send(path, {}, 'HEAD');
    const part = await send(path, { range: 'bytes=2-4', 'if-range': String(headers['etag']) });
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await send(path, { range: 'bytes=2-4', 'if-range': '"old"' })).body).toBe('0123456789');
    expect((await send(path, { range: 'bytes=10-' })).status).toBe(416);
    expect((await send(path, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
  });

  it('tell the SHA-256 of a file to a request for it alone, also after a change', async () => {
    const path = 'owner/one/onnx/model.onnx_data_1';
    const digest = async (wanted: string, method = 'HEAD') =>
      (await send(path, { 'want-repr-digest': wanted }, method)).headers['repr-digest'];
    const sum = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
    expect(await digest('sha-256=10')).toBe(sum('data'));
    expect(await digest('sha-512=3, sha-256=1')).toBe(sum('data'));
    expect(await digest('sha-256=0')).toBeUndefined();
    expect(await digest('sha-512=10')).toBeUndefined();
    expect(await digest('sha-256=10', 'GET')).toBeUndefined();
    writeFileSync(join(folder, 'models', path), 'other data');
    expect(await digest('sha-256=10')).toBe(sum('other data'));
  });

  it('are served where the list has them: graphs in onnx, templates and licences too', async () => {
    await send('');
    expect((await send('plain/onnx/model.onnx')).body).toBe('graph');
    expect((await send('plain/chat_template.jinja')).body).toBe('{{ messages }}');
    expect((await send('plain/LICENSE')).body).toBe('free');
    expect((await send('plain/model.onnx')).status).toBe(404);
  });

  it.each(['owner/one/config.json', 'owner/one/onnx/model.onnx'])(
    'are not sent once %s, or a folder above it, has become a link',
    async (path) => {
      await send('');
      const place = path === 'owner/one/config.json' ? path : 'owner/one/onnx';
      mkdirSync(join(folder, 'outside'));
      writeFileSync(join(folder, 'outside/model.onnx'), 'secret');
      rmSync(join(folder, 'models', place), { recursive: true });
      symlinkSync(join(folder, path === place ? 'secret.json' : 'outside'), join(folder, 'models', place));
      expect((await send(path)).status).toBe(404);
    },
  );

  it('are read only, and for the own page alone', async () => {
    expect((await send('owner/one/config.json', {}, 'PUT')).status).toBe(405);
    expect((await send('owner/one/config.json', { origin: 'https://example.com' })).status).toBe(403);
    expect((await send('', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('are announced by the page', async () => {
    expect((await fetch(server.url)).headers.get('server-timing')).toBe('lightwell-bridge, lightwell-local-models');
  });
});
