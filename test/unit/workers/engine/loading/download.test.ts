import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { download, downloadJson } from '../../../../../workers/engine/loading/download.ts';

let stop = () => undefined as void;
afterEach(() => stop());

/** A server for one test; returns its address. */
function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  stop = () => void server.close();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/file`);
    }),
  );
}

describe('download', () => {
  it('reports bytes as they come', async () => {
    const url = await serving((_, response) => response.writeHead(200, { 'Content-Length': 6 }).end('abcdef'));
    const seen: number[][] = [];
    expect(new TextDecoder().decode(await download(url, (...bytes) => seen.push(bytes)))).toBe('abcdef');
    expect(seen.at(-1)).toEqual([6, 6]);
  });

  it('takes more bytes than a compressed answer announces', async () => {
    const text = 'well '.repeat(1000);
    const packed = gzipSync(text);
    const url = await serving((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': packed.length }).end(packed),
    );
    expect(new TextDecoder().decode(await download(url, () => undefined))).toBe(text);
  });

  it('names URL and status of a refusal', async () => {
    const url = await serving((_, response) => response.writeHead(403).end());
    await expect(download(url, () => undefined)).rejects.toMatchObject({
      failure: { code: 'MODEL_UNAVAILABLE', message: `${url} answered 403 Forbidden` },
    });
  });

  it('names the URL of a server that is not there', async () => {
    await expect(download('http://127.0.0.1:1/file', () => undefined)).rejects.toThrow(
      /127.0.0.1:1\/file could not be fetched/,
    );
  });

  it('ends with AbortError when it is aborted', async () => {
    const url = await serving((_, response) => void response.writeHead(200, { 'Content-Length': 6 }).write('abc'));
    const controller = new AbortController();
    await expect(download(url, () => controller.abort(), controller.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('downloadJson', () => {
  it('reads an object', async () => {
    const url = await serving((_, response) => response.end('{"a": 1}'));
    expect(await downloadJson(url, () => undefined)).toEqual({ a: 1 });
  });

  it.each(['<!doctype html>', '3', 'null'])('refuses %s', async (body) => {
    const url = await serving((_, response) => response.end(body));
    await expect(downloadJson(url, () => undefined)).rejects.toThrow(`${url} is not a JSON object`);
  });
});
