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

/** @throws {FailureError} MODEL_UNAVAILABLE for a file of the page that has gone */
export function refuseUnreadable(url: string, error: unknown): never {
  return refuse(`${url} cannot be read any more, it was changed or moved: ${messageOf(error)}`);
}

/** @throws {FailureError} MODEL_UNAVAILABLE for a file that is not there */
export function refuseMissing(url: string): never {
  return refuse(`${url} answered 404: there is no such file`);
}

/** The result of a request; undefined when the server answers 404. @throws {FailureError} MODEL_UNAVAILABLE for any other `FetchError` */
export async function ifPresent<Value>(request: Promise<Value>): Promise<Value | undefined> {
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
