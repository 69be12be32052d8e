import type { FileFacts } from '../models/model.ts';
import { UNCOMPRESSED_LENGTH } from '../protocol/frames/frames.ts';
import { sha256Of } from './hash.ts';

/** Bytes received so far and in total; `total` is 0 where the server does not send it. */
type OnBytes = (done: number, total: number) => void;

/** How a URL is fetched. */
export interface FetchOptions extends Pick<RequestInit, 'cache' | 'method'> {
  readonly onBytes: OnBytes;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Tests replace it. */
  readonly fetch?: typeof fetch | undefined;
}

/** A URL cannot be fetched; the message has it, and the status or the cause. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /** Status of a refusal; undefined where the connection failed or stalled. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

interface FetchedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  /** See `fileProblem`. */
  readonly problem: string | undefined;
}

/**
 * Fetches a file into memory and compares it with the expected facts. A wrong file is fetched again past the browser's cache,
 * which replaces the cached copy: that one may be damaged or of an earlier version.
 *
 * @returns with the `problem` of the second attempt, if it is wrong too
 * @throws as `fetchWatched`
 */
export async function fetchFile(
  url: string,
  options: FetchOptions & { readonly expected?: FileFacts | undefined },
): Promise<FetchedFile> {
  const attempt = (cache: RequestCache | undefined) =>
    fetchWatched(url, { ...options, cache: cache ?? 'default' }, async (response, onBytes) => {
      const bytes = await receive(response, onBytes);
      return { bytes, headers: response.headers, problem: await fileProblem(bytes, options.expected) };
    });
  const first = await attempt(options.cache);
  return first.problem === undefined ? first : attempt('reload');
}

/**
 * Requests a URL and reads its response; gives up after half a minute without data.
 *
 * @param read  reads a successful response, and calls `onBytes` for every piece
 * @throws {FetchError} for any other status, or when the connection fails or stalls
 * @throws {DOMException} AbortError when `signal` is aborted
 */
export async function fetchWatched<Value>(
  url: string,
  { onBytes, signal, headers = {}, cache = 'default', method = 'GET', fetch: send = fetch }: FetchOptions,
  read: (response: Response, onBytes: OnBytes) => Promise<Value>,
): Promise<Value> {
  return abortOnStall(
    url,
    signal,
    (message) => new FetchError(message),
    async (watched, onProgress) => {
      try {
        const response = await send(url, { method, cache, headers, signal: watched });
        const { ok, status, statusText } = response;
        if (!ok) throw new FetchError(`${url} answered ${status} ${statusText}`.trimEnd(), status);
        return await read(response, (done, total) => {
          onProgress();
          onBytes(done, total);
        });
      } catch (error) {
        if (error instanceof FetchError || signal?.aborted) throw error;
        const cause = error instanceof Error ? error.message : String(error);
        throw new FetchError(`${url} could not be fetched: ${cause}`);
      }
    },
  );
}

/** Reads into one block of the announced size, which grows where the size is unknown or too small. */
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

/** Bytes of the decoded body; 0 where no header has them. `Content-Length` has those of the compressed body. */
export function announcedLength(headers: Headers): number {
  const isCompressed = headers.has('content-encoding');
  return Number(headers.get(isCompressed ? UNCOMPRESSED_LENGTH : 'content-length') ?? 0);
}

function grown(block: Uint8Array, byteCount: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(byteCount);
  larger.set(block);
  return larger;
}

/**
 * The fault of a received file, for the end of a sentence; undefined: none. Compares size and SHA-256 where they are known.
 * Without them it detects only common substitutes of hosts: an HTML page, or a Git LFS pointer.
 */
export async function fileProblem(
  file: Uint8Array<ArrayBuffer>,
  expected: FileFacts | undefined,
): Promise<string | undefined> {
  const mismatch = expected && (await mismatchOf(file, expected));
  if (expected?.sha256 !== undefined && mismatch === undefined) return undefined; // also for a site's own HTML page
  const substitute = substituteFor(file);
  return substitute === undefined ? mismatch : `got ${substitute}`;
}

async function mismatchOf(file: Uint8Array<ArrayBuffer>, { bytes, sha256 }: FileFacts): Promise<string | undefined> {
  const wanted = `expected ${bytes} bytes${sha256 === undefined ? '' : ` with the SHA-256 ${sha256}`}`;
  if (file.length !== bytes) return `${wanted}, got ${file.length} bytes`;
  const found = sha256 && (await sha256Of(file));
  return found === sha256 ? undefined : `${wanted}, got as many with ${found}`;
}

/** Enough bytes to recognise a substitute. */
const HEAD_BYTES = 256;

function substituteFor(file: Uint8Array): string | undefined {
  const head = new TextDecoder().decode(file.subarray(0, HEAD_BYTES)).trimStart();
  if (/^<(?:!doctype|html|head|body|\?xml|!--)/i.test(head))
    return 'an HTML page in its place, as hosts answer that send their start page for files that they lack';
  if (head.startsWith('version https://git-lfs.github.com/'))
    return 'a Git LFS pointer in its place: the folder was copied without its large files; fetch them there (git lfs pull)';
  return undefined;
}

/** A download that receives nothing for this long fails, so that its caller can try again. */
const STALL_MS = 30_000;

/**
 * Runs a download under a signal that is aborted with the caller's own, or when the download stalls.
 *
 * @param work     calls `onProgress` for each piece received; the time limit holds for the first one too
 * @param toError  makes the error of a stalled download from a message for people
 * @throws what `work` throws, or the error of `toError`
 */
export async function abortOnStall<Value>(
  url: string,
  signal: AbortSignal | undefined,
  toError: (message: string) => Error,
  work: (signal: AbortSignal, onProgress: () => void) => Promise<Value>,
): Promise<Value> {
  const stalled = new AbortController();
  const start = () => setTimeout(() => stalled.abort(), STALL_MS);
  let timer = start();
  const onProgress = () => {
    clearTimeout(timer);
    timer = start();
  };
  try {
    return await work(signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal, onProgress);
  } catch (error) {
    if (!stalled.signal.aborted || signal?.aborted) throw error;
    throw toError(`${url} has sent nothing for ${STALL_MS / 1000} s; check the connection and try again`);
  } finally {
    clearTimeout(timer);
  }
}
