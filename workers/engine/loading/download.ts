import { messageOf } from '../../../src/contract/failure.ts';
import { shown } from '../../../src/contract/shown.ts';
import type { FileFacts, HeldFiles } from '../../../src/models/model.ts';
import {
  announcedLength,
  FetchError,
  fetchFile,
  type FetchOptions,
  fetchWatched,
  fileProblem,
} from '../../../src/fetching/fetch-file.ts';
import { createHash, toHex } from '../../../src/fetching/hash.ts';
import { refuse } from '../network.ts';

/** How a file of a model is fetched. */
export interface DownloadOptions extends Pick<FetchOptions, 'onBytes' | 'signal' | 'headers'> {
  /** Expected size and hash. */
  readonly expected?: FileFacts | undefined;
  /** The file itself where the page has the folder; null where that folder lacks it. Undefined: it is fetched. */
  readonly held?: Blob | null | undefined;
}

/** The `held` of a file: see `DownloadOptions`. */
export function heldFile(held: HeldFiles | undefined, path: string): Blob | null | undefined {
  return held && (Object.hasOwn(held, path) ? held[path] : null);
}

/**
 * Fetches a file of a model, or reads it where the page has it, and checks it.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE naming the URL and the status, the cause, or the fault of the file
 * @throws {DOMException} AbortError when `signal` is aborted
 */
export async function download(url: string, options: DownloadOptions): Promise<Uint8Array<ArrayBuffer>> {
  return (await downloadIfPresent(url, options)) ?? refuseMissing(url);
}

/** The same for an optional file: undefined when the server answers 404. */
async function downloadIfPresent(url: string, options: DownloadOptions): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (options.held === null) return undefined;
  const file = await (options.held ? readHeld(url, options.held, options) : ifPresent(fetchFile(url, options)));
  if (file?.problem === undefined) return file?.bytes;
  return refuse(`${url} is not the model's file: ${file.problem}`);
}

async function readHeld(url: string, held: Blob, { onBytes, signal, expected }: DownloadOptions) {
  signal?.throwIfAborted();
  const bytes = new Uint8Array(await held.arrayBuffer().catch((error: unknown) => refuseUnreadable(url, error)));
  const problem = await fileProblem(bytes, expected);
  if (problem === undefined) onBytes(bytes.length, bytes.length);
  return { bytes, problem };
}

function refuseUnreadable(url: string, error: unknown): never {
  return refuse(`${url} cannot be read any more, it was changed or moved: ${messageOf(error)}`);
}

function refuseMissing(url: string): never {
  return refuse(`${url} answered 404: there is no such file`);
}

/** The result of a request; undefined when the server answers 404. @throws {FailureError} MODEL_UNAVAILABLE for any other `FetchError` */
async function ifPresent<Value>(request: Promise<Value>): Promise<Value | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    if (error.status === 404) return undefined;
    return refuse(error.message);
  }
}

/** Fetches a JSON file that holds an object. @throws as `download`; also when it holds something else */
export async function downloadJson(url: string, options: DownloadOptions): Promise<object> {
  return objectOf(url, parsed(url, await download(url, options)));
}

/** The same for an optional file: undefined when the server answers 404. */
export async function downloadJsonIfPresent(url: string, options: DownloadOptions): Promise<object | undefined> {
  const value = await downloadValueIfPresent(url, options);
  return value === undefined ? undefined : objectOf(url, value);
}

/** The same for a JSON file that may hold any value. */
export async function downloadValueIfPresent(url: string, options: DownloadOptions): Promise<unknown> {
  const bytes = await downloadIfPresent(url, options);
  return bytes && parsed(url, bytes);
}

function parsed(url: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return refuse(`${url} is not JSON: ${messageOf(error)}`);
  }
}

function objectOf(url: string, value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  return refuse(`${url}: expected a JSON object, got ${shown(value)}`);
}

/**
 * SHA-256 of a file too large for memory. A file whose hash is known, or sent by the server, is not read; any other is read
 * once, in pieces.
 *
 * @returns lower-case hexadecimal
 * @throws {FailureError} MODEL_UNAVAILABLE naming the URL and the status, the cause, or the expected size
 * @throws {DOMException} AbortError when `signal` is aborted
 */
export async function digestOfFile(url: string, options: DownloadOptions): Promise<string> {
  const { expected, held } = options;
  if (expected?.sha256 !== undefined) return expected.sha256;
  if (held === null) return refuseMissing(url);
  const digest = await ifPresent(held ? digestOfHeld(url, held, options) : requestDigest(url, options));
  return digest ?? refuseMissing(url);
}

async function requestDigest(url: string, options: DownloadOptions): Promise<string> {
  const { headers, signal, onBytes, expected } = options;
  const sent = await sentDigest(url, options);
  if (sent !== undefined) return sent;
  return fetchWatched(url, { headers, signal, onBytes, cache: 'no-store' }, (response, onPiece) => {
    const bytes = expected?.bytes ?? announcedLength(response.headers);
    return digestOfStream(url, response.body, bytes, { onBytes: onPiece });
  });
}

/** Requests the digest alone; undefined where the server does not have one, or does not support HEAD. @source RFC 9530, sections 3 and 4: Repr-Digest, Want-Repr-Digest */
async function sentDigest(url: string, { signal, headers, onBytes }: DownloadOptions): Promise<string | undefined> {
  const wanted = { ...headers, 'Want-Repr-Digest': 'sha-256=10' };
  const options = { onBytes, signal, headers: wanted, method: 'HEAD', cache: 'no-store' } as const;
  return fetchWatched(url, options, async (response) => {
    const [, base64] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(response.headers.get('repr-digest') ?? '') ?? [];
    return base64 === undefined ? undefined : toHex(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  }).catch((error: unknown) => {
    if (error instanceof FetchError) return undefined; // reading the file shows the fault, if there is one
    throw error;
  });
}

async function digestOfHeld(url: string, held: Blob, options: DownloadOptions): Promise<string> {
  const { signal, expected } = options;
  signal?.throwIfAborted();
  return digestOfStream(url, held.stream(), expected?.bytes ?? held.size, options).catch((error: unknown) => {
    signal?.throwIfAborted();
    if (error instanceof FetchError) throw error;
    return refuseUnreadable(url, error);
  });
}

/** @param bytes  expected; 0 where unknown */
async function digestOfStream(
  url: string,
  stream: ReadableStream<Uint8Array> | null,
  bytes: number,
  { onBytes, signal }: Pick<DownloadOptions, 'onBytes' | 'signal'>,
): Promise<string> {
  const hash = createHash('sha256');
  const reader = stream?.getReader();
  let done = 0;
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    if (signal?.aborted) await reader?.cancel();
    signal?.throwIfAborted();
    hash.update(piece.value);
    done += piece.value.length;
    onBytes(done, bytes);
  }
  if (bytes === 0 || done === bytes) return hash.hex();
  throw new FetchError(`${url} is not the model's file: expected ${bytes} bytes, got ${done} bytes`);
}

/** Bytes of one request: few enough to skip weights, and enough for hundreds of operators. */
const BLOCK = 32 * 1024;

/**
 * Opens a file of which only some ranges are fetched. A server that does not support them sends the whole file.
 *
 * @param bytes  of the whole file, by the list of the folder
 */
export function openRanged(url: string, bytes: number, options: DownloadOptions) {
  const blocks = new Map<number, Promise<Uint8Array>>();
  let whole: Uint8Array | undefined;
  const { held, signal } = options;
  const fetchBlock = async (index: number): Promise<Uint8Array> => {
    const begin = index * BLOCK;
    const end = Math.min(bytes, begin + BLOCK);
    if (held) return new Uint8Array(await held.slice(begin, end).arrayBuffer());
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
