import { fetchWatched } from '../../../src/fetching/fetch-file.ts';
import { refuse } from '../network.ts';
import { download, type DownloadOptions, ifPresent, refuseMissing, refuseUnreadable } from './download.ts';

/** Bytes of one request: few enough to skip weights, and enough for hundreds of operators. */
const BLOCK = 32 * 1024;

/** Opens a file of which ranges are fetched, or all where a server has none. @param bytes  of the whole file */
export function openRanged(url: string, bytes: number, options: DownloadOptions) {
  const blocks = new Map<number, Promise<Uint8Array>>();
  let whole: Uint8Array | undefined;
  const { held, signal } = options;
  const fetchBlock = async (index: number): Promise<Uint8Array> => {
    const begin = index * BLOCK;
    const end = Math.min(bytes, begin + BLOCK);
    if (held) {
      const read = held.slice(begin, end).arrayBuffer();
      return new Uint8Array(await read.catch((error: unknown) => refuseUnreadable(url, error)));
    }
    const headers = { ...options.headers, Range: `bytes=${begin}-${end - 1}` };
    const request = fetchWatched(url, { headers, signal, onBytes: () => undefined }, async (response) => {
      if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      return null;
    });
    const block = await ifPresent(request);
    if (block === undefined) return refuseMissing(url);
    if (block === null) {
      whole = await download(url, options);
      return whole.subarray(begin, end);
    }
    if (block.length === end - begin) return block;
    return refuse(`${url}: expected ${end - begin} bytes at ${begin}, got ${block.length}`);
  };
  const blockAt = (index: number): Promise<Uint8Array> => {
    const block = blocks.get(index) ?? fetchBlock(index);
    blocks.set(index, block);
    return block;
  };
  return {
    bytes,
    /** Bytes `[start, end)`. @throws {FailureError} MODEL_UNAVAILABLE where the file is shorter, or cannot be fetched */
    async read(start: number, end: number): Promise<Uint8Array> {
      if (end > bytes) refuse(`${url} is cut short: expected byte ${end}, got ${bytes} bytes`);
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
