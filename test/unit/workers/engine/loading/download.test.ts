import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { UNCOMPRESSED_LENGTH } from '../../../../../src/protocol/line.ts';
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

  describe('of a compressed answer', () => {
    const text = 'well '.repeat(100_000);
    const packed = gzipSync(text);
    const compressed = { 'Content-Encoding': 'gzip', 'Content-Length': packed.length };

    it('counts the bytes that it holds, not those that are sent', async () => {
      const headers = { ...compressed, [UNCOMPRESSED_LENGTH]: text.length };
      const url = await serving((_, response) => response.writeHead(200, headers).end(packed));
      const seen: [number, number][] = [];
      expect(new TextDecoder().decode(await download(url, (...bytes) => seen.push(bytes)))).toBe(text);
      expect(new Set(seen.map(([, total]) => total))).toEqual(new Set([text.length]));
      expect(seen.at(-1)).toEqual([text.length, text.length]);
    });

    it('takes the total for unknown where the server does not tell', async () => {
      const url = await serving((_, response) => response.writeHead(200, compressed).end(packed));
      const seen: [number, number][] = [];
      expect(new TextDecoder().decode(await download(url, (...bytes) => seen.push(bytes)))).toBe(text);
      expect(seen.at(-1)).toEqual([text.length, 0]);
    });
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
