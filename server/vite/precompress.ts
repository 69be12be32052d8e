import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(css|html|js|json|md|mjs|onnx|svg|txt|wasm)$/;

/** A compressed file is kept only where it is at most this share of the whole: else decompressing costs more than it saves. */
const WORTHWHILE = 0.95;

/** Above this size Brotli's slow levels take minutes: level 9 takes the runtime's 27 MB from 4.76 to 4.63 MB, in thrice the time. */
const LARGE_BYTES = 2 ** 22;

interface Coding {
  readonly ending: string;
  /** Names level and window, so that a change of them is no hit in the cache. */
  readonly name: (byteCount: number) => string;
  readonly compress: (content: Buffer) => Promise<Buffer>;
}

const CODINGS: readonly Coding[] = [
  {
    ending: '.br',
    name: (byteCount) => `br-${levelOf(byteCount)}`,
    compress: (content) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: levelOf(content.length),
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  },
  { ending: '.gz', name: () => 'gz-9', compress: (content) => promisify(gzip)(content, { level: 9 }) },
];

/**
 * Writes `.br` and `.gz` beside every file below `folder` that gains at least 5 % by it.
 *
 * @param cache  folder that keeps results under the hash of the content, so that what did not change is not compressed again
 */
export async function precompress(folder: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => COMPRESSIBLE.test(each))) await precompressFile(join(folder, name), cache);
}

async function precompressFile(path: string, cache: string): Promise<void> {
  const content = await readFile(path);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const write = async ({ ending, name, compress }: Coding) => {
    const kept = join(cache, `${hash}-${name(content.length)}`);
    if (!existsSync(kept)) await writeWhole(kept, await worthwhile(content, compress));
    const { length } = await readFile(kept);
    if (length > 0) await copyFile(kept, `${path}${ending}`);
  };
  await Promise.all(CODINGS.map(write)); // on threads of their own
}

/** The compressed content, or nothing where it gains too little; that is remembered too. */
async function worthwhile(content: Buffer, compress: Coding['compress']): Promise<Buffer> {
  const compressed = await compress(content);
  return compressed.length <= WORTHWHILE * content.length ? compressed : Buffer.alloc(0);
}

/** In one step, so that a build that is broken off leaves no half file for the next one. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

function levelOf(byteCount: number): number {
  return byteCount > LARGE_BYTES ? 7 : 9;
}
