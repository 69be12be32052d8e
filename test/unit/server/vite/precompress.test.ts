import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { precompress } from '../../../../server/vite/build-plugins.ts';

const TEXT = 'well '.repeat(1000);

let folder: string;
let cache: string;

beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), 'lightwell-precompress-'));
  [folder, cache] = [join(parent, 'dist'), join(parent, 'deep/cache')];
  mkdirSync(join(folder, 'assets'), { recursive: true });
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

describe('precompress', () => {
  it('writes both forms beside a file, in folders too', async () => {
    writeFileSync(join(folder, 'assets/a.js'), TEXT);
    await precompress(folder, cache);
    expect(brotliDecompressSync(readFileSync(join(folder, 'assets/a.js.br'))).toString()).toBe(TEXT);
    expect(gunzipSync(readFileSync(join(folder, 'assets/a.js.gz'))).toString()).toBe(TEXT);
  });

  it('leaves alone what gains nothing, and what is compressed by its nature', async () => {
    writeFileSync(join(folder, 'noise.onnx'), randomBytes(10_000));
    writeFileSync(join(folder, 'picture.png'), TEXT);
    writeFileSync(join(folder, 'empty.js'), '');
    await precompress(folder, cache);
    expect(readdirSync(folder).toSorted()).toEqual(['assets', 'empty.js', 'noise.onnx', 'picture.png']);
  });

  it('takes what it has compressed before from the cache, and nothing else', async () => {
    writeFileSync(join(folder, 'a.js'), TEXT);
    await precompress(folder, cache);
    const kept = readdirSync(cache).find((name) => name.includes('-gz'));
    writeFileSync(join(cache, kept ?? ''), 'from the cache');
    rmSync(join(folder, 'a.js.gz'));
    writeFileSync(join(folder, 'b.js'), `${TEXT}!`);
    await precompress(folder, cache);
    expect(readFileSync(join(folder, 'a.js.gz'), 'utf8')).toBe('from the cache');
    expect(gunzipSync(readFileSync(join(folder, 'b.js.gz'))).toString()).toBe(`${TEXT}!`);
    expect(existsSync(join(folder, 'b.js.br'))).toBe(true);
  });
});
