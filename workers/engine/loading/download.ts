import { FailureError } from '../../../src/contract/failure.ts';
import type { FileFacts, HeldFiles } from '../../../src/models/model.ts';
import { UNCOMPRESSED_LENGTH } from '../../../src/protocol/frames/line.ts';
import { problemOf } from './received-file.ts';
import { stallMessage, watchForStall } from './stall.ts';

/** Bytes received and, as far as the server tells, to come. */
export type OnBytes = (done: number, total: number) => void;

/** How a file is fetched. */
export interface DownloadOptions {
  /** Called with every piece; `total` is 0 while unknown. */
  readonly onBytes: OnBytes;
  readonly signal?: AbortSignal | undefined;
  /** What the file must be. */
  readonly expected?: FileFacts | undefined;
  /** The file itself where the page holds it; null: the page holds the folder, and this file is not in it. Left out: it is fetched. */
  readonly held?: Blob | null | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The `held` of a file: see `DownloadOptions`. */
export function heldFile(held: HeldFiles | undefined, path: string): Blob | null | undefined {
  return held && (Object.hasOwn(held, path) ? held[path] : null);
}

/**
 * Fetches a file and checks it. One that is wrong is fetched once more past the browser's cache, whose copy is thereby
 * replaced: it may be of an earlier version, or damaged.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with URL and status, what went wrong on the way, or how the file is wrong; also when
 *   nothing comes for long
 * @throws {DOMException} AbortError when `signal` is aborted
 */
export async function download(url: string, options: DownloadOptions): Promise<Uint8Array<ArrayBuffer>> {
  const file = await downloadIfPresent(url, options);
  if (file === undefined) throw new FailureError('MODEL_UNAVAILABLE', `${url} answered 404: there is no such file`);
  return file;
}

/** The same for a file that a folder need not have: undefined when the server answers 404. */
async function downloadIfPresent(url: string, options: DownloadOptions): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (options.held !== undefined) return heldIfPresent(url, options.held, options);
  const file = async (response: Response, onBytes: OnBytes): Promise<Received> => {
    const whole = await receive(response, onBytes);
    return { file: whole, problem: await problemOf(whole, options.expected) };
  };
  const received = await fetched(url, { ...options, cache: 'default' }, file);
  if (received?.problem === undefined) return received?.file;
  const again = await fetched(url, { ...options, cache: 'reload' }, file);
  if (again?.problem === undefined) return again?.file;
  throw new FailureError('MODEL_UNAVAILABLE', `${url} is not the model's file: ${again.problem}`);
}

/** A file that the page holds is wrong once and for all: there is nothing to fetch again. */
async function heldIfPresent(
  url: string,
  held: Blob | null,
  { onBytes, signal, expected }: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (held === null) return undefined;
  signal?.throwIfAborted();
  const file = await held.arrayBuffer().catch((error: unknown) => unreadable(url, error));
  const bytes = new Uint8Array(file);
  const problem = await problemOf(bytes, expected);
  if (problem !== undefined) throw new FailureError('MODEL_UNAVAILABLE', `${url} is not the model's file: ${problem}`);
  onBytes(bytes.length, bytes.length);
  return bytes;
}

/** A file as it came, and what is wrong with it. */
interface Received {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly problem: string | undefined;
}

/** The error of a file that the page holds and cannot read. */
export function unreadable(url: string, error: unknown): never {
  const cause = error instanceof Error ? error.message : String(error);
  throw new FailureError('MODEL_UNAVAILABLE', `${url} cannot be read any more, it was changed or moved: ${cause}`);
}

/** See `fetched`. */
export type FetchOptions = Pick<DownloadOptions, 'onBytes' | 'signal' | 'headers'> &
  Pick<RequestInit, 'cache' | 'method'>;

/**
 * What `read` makes of a URL's answer, which it is to tell of every piece; undefined when the server answers 404.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with URL and status, or what went wrong; also when nothing comes for long
 * @throws {DOMException} AbortError when `signal` is aborted
 */
export async function fetched<Value>(
  url: string,
  { onBytes, signal, headers = {}, cache = 'default', method = 'GET' }: FetchOptions,
  read: (response: Response, onBytes: OnBytes) => Promise<Value>,
): Promise<Value | undefined> {
  const watch = watchForStall(signal);
  const onMoved: OnBytes = (done, total) => {
    watch.moved();
    onBytes(done, total);
  };
  try {
    const response = await fetch(url, { method, cache, headers, signal: watch.signal });
    if (response.status === 404) return undefined;
    if (!response.ok)
      throw new FailureError('MODEL_UNAVAILABLE', `${url} answered ${response.status} ${response.statusText}`);
    return await read(response, onMoved);
  } catch (error) {
    if (error instanceof FailureError || signal?.aborted) throw error;
    if (watch.hasStalled) throw new FailureError('MODEL_UNAVAILABLE', stallMessage(url));
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('MODEL_UNAVAILABLE', `${url} could not be fetched: ${cause}`);
  } finally {
    watch.end();
  }
}

/** Into one block of the announced size; where none is announced, or a wrong one, the block grows. */
async function receive(response: Response, onBytes: OnBytes): Promise<Uint8Array<ArrayBuffer>> {
  const announced = announcedLength(response.headers);
  let block = new Uint8Array(announced);
  let done = 0;
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    const needed = done + piece.value.length;
    if (needed > block.length) block = grown(block, Math.max(needed, 2 * block.length));
    block.set(piece.value, done);
    done = needed;
    onBytes(done, done <= announced ? announced : 0);
  }
  return done === block.length ? block : block.slice(0, done);
}

/** Bytes of the body as it is read. `Content-Length` counts those of a compressed body as it is sent; 0 where nothing tells. */
export function announcedLength(headers: Headers): number {
  const isCompressed = headers.has('content-encoding');
  return Number(headers.get(isCompressed ? UNCOMPRESSED_LENGTH : 'content-length') ?? 0);
}

function grown(block: Uint8Array, byteCount: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(byteCount);
  larger.set(block);
  return larger;
}

/** Fetches a JSON file with an object in it. @throws as `download`; also when it holds something else */
export async function downloadJson(url: string, options: DownloadOptions): Promise<object> {
  return objectOf(url, parsed(url, await download(url, options)));
}

/** The same for a file that a folder need not have: undefined when the server answers 404. */
export async function downloadJsonIfPresent(url: string, options: DownloadOptions): Promise<object | undefined> {
  const value = await downloadValueIfPresent(url, options);
  return value === undefined ? undefined : objectOf(url, value);
}

/** The same for a JSON file with any value in it. */
export async function downloadValueIfPresent(url: string, options: DownloadOptions): Promise<unknown> {
  const bytes = await downloadIfPresent(url, options);
  return bytes && parsed(url, bytes);
}

function parsed(url: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('MODEL_UNAVAILABLE', `${url} is not JSON: ${cause}`);
  }
}

function objectOf(url: string, value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const got = Array.isArray(value) ? 'a list' : JSON.stringify(value);
  throw new FailureError('MODEL_UNAVAILABLE', `${url}: expected a JSON object, got ${got}`);
}
