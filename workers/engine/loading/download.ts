import { FailureError } from '../../../src/contract/failure.ts';
import { UNCOMPRESSED_LENGTH } from '../../../src/protocol/line.ts';
import { stallMessage, watchForStall } from './stall.ts';

/** Bytes received and, as far as the server tells, to come. */
export type OnBytes = (done: number, total: number) => void;

/**
 * Fetches a file.
 *
 * @param onBytes  called with every piece; `total` is 0 while unknown
 * @throws {FailureError} MODEL_UNAVAILABLE with URL and status, or what went wrong on the way; also when nothing comes for long
 * @throws {DOMException} AbortError when `signal` is aborted
 */
export async function download(url: string, onBytes: OnBytes, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const file = await downloadIfPresent(url, onBytes, signal);
  if (file === undefined) throw new FailureError('MODEL_UNAVAILABLE', `${url} answered 404: there is no such file`);
  return file;
}

/** The same for a file that a folder need not have: undefined when the server answers 404. */
async function downloadIfPresent(
  url: string,
  onBytes: OnBytes,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const watch = watchForStall(signal);
  const onMoved: OnBytes = (done, total) => {
    watch.moved();
    onBytes(done, total);
  };
  try {
    const response = await fetch(url, { signal: watch.signal });
    if (response.status === 404) return undefined;
    if (!response.ok)
      throw new FailureError('MODEL_UNAVAILABLE', `${url} answered ${response.status} ${response.statusText}`);
    return await receive(response, onMoved);
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
function announcedLength(headers: Headers): number {
  const isCompressed = headers.has('content-encoding');
  return Number(headers.get(isCompressed ? UNCOMPRESSED_LENGTH : 'content-length') ?? 0);
}

function grown(block: Uint8Array, byteCount: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(byteCount);
  larger.set(block);
  return larger;
}

/** Fetches a JSON file with an object in it. @throws as `download`; also when it holds something else */
export async function downloadJson(url: string, onBytes: OnBytes, signal?: AbortSignal): Promise<object> {
  return parsedObject(url, await download(url, onBytes, signal));
}

/** The same for a file that a folder need not have: undefined when the server answers 404. */
export async function downloadJsonIfPresent(
  url: string,
  onBytes: OnBytes,
  signal?: AbortSignal,
): Promise<object | undefined> {
  const bytes = await downloadIfPresent(url, onBytes, signal);
  return bytes && parsedObject(url, bytes);
}

function parsedObject(url: string, bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Falls through: a page of HTML in place of a missing file is the usual case.
  }
  throw new FailureError('MODEL_UNAVAILABLE', `${url} is not a JSON object`);
}
