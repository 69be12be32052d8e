import { FailureError } from '../../../src/contract/failure.ts';
import { download, type DownloadOptions } from './download.ts';

/** A file of which only parts are fetched. */
export interface RangedFile {
  readonly bytes: number;
  /** Bytes `[start, end)`. @throws {FailureError} MODEL_UNAVAILABLE where the file is shorter, or cannot be fetched */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** What one request brings: few enough bytes to pass over weights, and enough for hundreds of operators. */
const BLOCK = 32 * 1024;

/**
 * Opens a file on a server that sends parts. One that sends the whole instead is taken at its word.
 *
 * @param bytes  of the whole file, as the folder's list has it
 * @throws {FailureError} MODEL_UNAVAILABLE
 */
export function openRanged(url: string, bytes: number, options: DownloadOptions): RangedFile {
  const blocks = new Map<number, Promise<Uint8Array>>();
  let whole: Uint8Array | undefined;
  const { held, headers } = options;
  const fetchBlock = async (index: number): Promise<Uint8Array> => {
    const begin = index * BLOCK;
    const end = Math.min(bytes, begin + BLOCK);
    if (held) return new Uint8Array(await held.slice(begin, end).arrayBuffer());
    const response = await fetch(url, {
      headers: { ...headers, Range: `bytes=${begin}-${end - 1}` },
      signal: options.signal ?? null,
    }).catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error);
      throw new FailureError('MODEL_UNAVAILABLE', `${url} could not be fetched: ${cause}`);
    });
    if (response.status === 200) {
      await response.body?.cancel();
      whole = await download(url, options);
      return whole.subarray(begin, end);
    }
    if (response.status !== 206)
      throw new FailureError('MODEL_UNAVAILABLE', `${url} answered ${response.status} ${response.statusText}`);
    const block = new Uint8Array(await response.arrayBuffer());
    if (block.length !== end - begin)
      throw new FailureError(
        'MODEL_UNAVAILABLE',
        `${url}: expected ${end - begin} bytes at ${begin}, got ${block.length}`,
      );
    return block;
  };
  const blockAt = (index: number): Promise<Uint8Array> => {
    const block = blocks.get(index) ?? fetchBlock(index);
    blocks.set(index, block);
    return block;
  };
  return {
    bytes,
    async read(start, end) {
      if (end > bytes)
        throw new FailureError('MODEL_UNAVAILABLE', `${url} is cut short: expected byte ${end}, got ${bytes} bytes`);
      const part = new Uint8Array(end - start);
      for (let index = Math.floor(start / BLOCK); index * BLOCK < end; index++) {
        const block = whole?.subarray(index * BLOCK, (index + 1) * BLOCK) ?? (await blockAt(index));
        const from = Math.max(start, index * BLOCK);
        const to = Math.min(end, index * BLOCK + block.length);
        part.set(block.subarray(from - index * BLOCK, to - index * BLOCK), from - start);
      }
      return part;
    },
  };
}
