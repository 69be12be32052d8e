import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Model } from '../../../../../src/models/model.ts';
import { digestOfFile } from '../../../../../workers/engine/loading/download.ts';
import { loadFiles } from '../../../../../workers/engine/loading/model-files.ts';
import { heldModel } from '../../../../support/fakes/jobs.ts';
import { DATA_MODEL, modelWithData } from '../../../../support/remote/exported.ts';

const CONTENT = Buffer.from('weights '.repeat(100_000));
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const SUM = sumOf(CONTENT);

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server for one test: its address, and the methods that it saw. */
async function serving(listener: RequestListener) {
  const methods: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`, methods };
}

const unheard = { onBytes: () => undefined };

describe('digestOfFile', () => {
  it('asks nobody for what is known', async () => {
    const expected = { bytes: 7, sha256: 'ab'.repeat(32) };
    expect(await digestOfFile('http://127.0.0.1:9/', { ...unheard, expected })).toBe('ab'.repeat(32));
  });

  it('takes the word of a server that knows it, and reads nothing', async () => {
    const told = `md5=:AAAA:, sha-256=:${Buffer.from(SUM, 'hex').toString('base64')}:`;
    const { url, methods } = await serving((request, response) => {
      expect(request.headers['want-repr-digest']).toBe('sha-256=10');
      response.writeHead(200, { 'Repr-Digest': told }).end();
    });
    expect(await digestOfFile(url, unheard)).toBe(SUM);
    expect(methods).toEqual(['HEAD']);
  });

  it.each([
    ['does not know it', 200, {}],
    ['tells something else', 200, { 'Repr-Digest': 'sha-256=:short:' }],
    ['takes no HEAD', 405, {}],
  ])('reads the file where the server %s', async (_, status, headers) => {
    const { url, methods } = await serving((request, response) => {
      if (request.method === 'HEAD') response.writeHead(status, headers).end();
      else response.writeHead(200, { 'Content-Length': CONTENT.length }).end(CONTENT);
    });
    const seen: number[][] = [];
    expect(await digestOfFile(url, { onBytes: (...bytes) => seen.push(bytes) })).toBe(SUM);
    expect(methods).toEqual(['HEAD', 'GET']);
    expect(seen.at(-1)).toEqual([CONTENT.length, CONTENT.length]);
  });

  it('reads a file that the page holds', async () => {
    const held = new Blob([CONTENT]);
    expect(await digestOfFile('held', { ...unheard, held })).toBe(SUM);
  });

  it('names a file that is not there', async () => {
    const { url } = await serving((_, response) => response.writeHead(404).end());
    for (const [at, held] of [[url], ['held:w', null]] as const)
      await expect(digestOfFile(at, { ...unheard, held })).rejects.toMatchObject({
        failure: { code: 'MODEL_UNAVAILABLE', message: `${at} answered 404: there is no such file` },
      });
  });

  it('refuses a file of another length', async () => {
    const { url } = await serving((_, response) => response.writeHead(200).end(CONTENT));
    const options = { ...unheard, expected: { bytes: 5 } };
    await expect(digestOfFile(url, options)).rejects.toThrow(/expected 5 bytes, got 800000 bytes$/);
    await expect(digestOfFile('held', { ...options, held: new Blob([CONTENT]) })).rejects.toThrow(/expected 5 bytes/);
  });

  it('ends when it is told to', async () => {
    const held = new Blob([CONTENT]);
    await expect(digestOfFile('held', { ...unheard, held, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});

describe('loadFiles of passes that run elsewhere', () => {
  async function model() {
    const { folder, data, remove } = await modelWithData('with-data');
    stops.push(remove);
    const paths = (await readdir(folder, { recursive: true })).filter((path) => /\.(json|onnx|onnx_data)$/.test(path));
    const blobs = paths.map(async (path) => [path, new Blob([await readFile(join(folder, path))])] as const);
    return { model: heldModel(Object.fromEntries(await Promise.all(blobs))), data };
  }
  const load = async (found: Model) => (await loadFiles(found, () => undefined, { runsElsewhere: true })).files;
  const PATH = `onnx/${DATA_MODEL.data}`;

  it('knows of a large data file its SHA-256 alone', async () => {
    const { model: found, data } = await model();
    const { files, ...unknown } = found;
    const { external, dataElsewhere } = await load(unknown); // its size is not known, so it may be large
    expect(external).toEqual([]);
    expect(dataElsewhere).toEqual([{ file: DATA_MODEL.data, sha256: sumOf(data) }]);
    const sha256 = 'cd'.repeat(32);
    const large = await load({ ...found, files: { ...files, [PATH]: { bytes: 2 ** 30, sha256 } } });
    expect(large.dataElsewhere).toEqual([{ file: DATA_MODEL.data, sha256 }]);
  });

  it('holds a small one, so that numbers can be compared', async () => {
    const { model: found, data } = await model();
    const { external, dataElsewhere } = await load(found);
    expect(dataElsewhere).toBeUndefined();
    expect(external.map(({ path }) => path)).toEqual([DATA_MODEL.data]);
    expect(sumOf(external[0]?.data ?? new Uint8Array())).toBe(sumOf(data));
  });
});
