import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UNCOMPRESSED_LENGTH } from '../../../../../src/protocol/frames/frames.ts';
import { download, downloadJson } from '../../../../../workers/engine/loading/download.ts';

let stop = () => undefined as void;
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const unheard = { onBytes: () => undefined };

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
    expect(new TextDecoder().decode(await download(url, { onBytes: (...bytes) => seen.push(bytes) }))).toBe('abcdef');
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
      expect(new TextDecoder().decode(await download(url, { onBytes: (...bytes) => seen.push(bytes) }))).toBe(text);
      expect(new Set(seen.map(([, total]) => total))).toEqual(new Set([text.length]));
      expect(seen.at(-1)).toEqual([text.length, text.length]);
    });

    it('takes the total for unknown where the server does not tell', async () => {
      const url = await serving((_, response) => response.writeHead(200, compressed).end(packed));
      const seen: [number, number][] = [];
      expect(new TextDecoder().decode(await download(url, { onBytes: (...bytes) => seen.push(bytes) }))).toBe(text);
      expect(seen.at(-1)).toEqual([text.length, 0]);
    });
  });

  it('names URL and status of a refusal', async () => {
    const url = await serving((_, response) => response.writeHead(403).end());
    await expect(download(url, unheard)).rejects.toMatchObject({
      failure: { code: 'MODEL_UNAVAILABLE', message: `${url} answered 403 Forbidden` },
    });
  });

  it('names the URL of a server that is not there', async () => {
    await expect(download('http://127.0.0.1:1/file', unheard)).rejects.toThrow(
      /127.0.0.1:1\/file could not be fetched/,
    );
  });

  it('ends with AbortError when it is aborted', async () => {
    const url = await serving((_, response) => void response.writeHead(200, { 'Content-Length': 6 }).write('abc'));
    const controller = new AbortController();
    await expect(download(url, { onBytes: () => controller.abort(), signal: controller.signal })).rejects.toMatchObject(
      {
        name: 'AbortError',
      },
    );
  });
});

describe('a download whose content is known', () => {
  const good = 'weights';
  const expected = { bytes: 7, sha256: createHash('sha256').update(good).digest('hex') };

  /** Answers with each content in turn, the last for good; `caches` lists how each was asked for. */
  async function served(...contents: readonly string[]) {
    const caches: (string | undefined)[] = [];
    const url = await serving(({ headers }, response) => {
      caches.push(headers['cache-control']);
      response.end(contents[Math.min(caches.length, contents.length) - 1]);
    });
    return { url, caches };
  }

  it('is asked for once where it is right', async () => {
    const { url, caches } = await served(good);
    expect(new TextDecoder().decode(await download(url, { ...unheard, expected }))).toBe(good);
    expect(caches).toHaveLength(1);
  });

  it('is checked as well where the page has no hash of its own', async () => {
    vi.stubGlobal('crypto', {}); // as over plain HTTP
    const { url, caches } = await served('weighty', good);
    expect(new TextDecoder().decode(await download(url, { ...unheard, expected }))).toBe(good);
    expect(caches).toHaveLength(2);
  });

  it('is asked for once more past the cache where it is wrong', async () => {
    const { url, caches } = await served('weights of last year', good);
    expect(new TextDecoder().decode(await download(url, { ...unheard, expected }))).toBe(good);
    expect(caches[1]).toBe('no-cache'); // what `cache: 'reload'` sends
  });

  it.each([
    ['a wrong byte', 'weighty', /SHA-256 \w{64}, got as many with \w{64}$/],
    ['a file cut short', 'weight', /expected 7 bytes .* got 6 bytes$/],
    ['nothing', '', /got 0 bytes$/],
    ['an HTML page', '\n<!DOCTYPE html><title>Start</title>', /got an HTML page in its place/],
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n', /got a Git LFS pointer/],
  ])('names %s, after two tries', async (_, content, problem) => {
    const { url, caches } = await served(content);
    const failure = download(url, { ...unheard, expected });
    await expect(failure).rejects.toMatchObject({ failure: { code: 'MODEL_UNAVAILABLE' } });
    await expect(failure).rejects.toThrow(problem);
    await expect(failure).rejects.toThrow(`${url} is not the model's file: `);
    expect(caches).toHaveLength(2);
  });

  it('is no HTML page and no pointer, where nothing else is known', async () => {
    const { url } = await served('<html></html>');
    await expect(download(url, unheard)).rejects.toThrow(/got an HTML page/);
  });
});

describe('downloadJson', () => {
  it('reads an object', async () => {
    const url = await serving((_, response) => response.end('{"a": 1}'));
    expect(await downloadJson(url, unheard)).toEqual({ a: 1 });
  });

  it.each([
    ['{', 'is not JSON: '],
    ['3', ': expected a JSON object, got 3'],
    ['null', ': expected a JSON object, got null'],
    ['[]', ': expected a JSON object, got \\[\\]'],
  ])('refuses %s', async (body, reason) => {
    const url = await serving((_, response) => response.end(body));
    await expect(downloadJson(url, unheard)).rejects.toThrow(new RegExp(`^${url} ?${reason}`));
  });
});
