import { abortOnStall } from '../../src/fetching/fetch-file.ts';
import type { PlannedFile } from '../../src/protocol/download-tasks.ts';
import { ProblemError, requestHub, withoutQuery } from './hub.ts';

/** Takes a piece of a file and the offset of its first byte. */
type OnPiece = (bytes: Uint8Array<ArrayBuffer>, at: number) => void;

/** The response of a host without range requests: the whole file. */
export interface WholeBody {
  /** Reads it from its first byte to its last. */
  read(onPiece: OnPiece): Promise<void>;
  cancel(): Promise<void>;
}

interface RangeOptions {
  readonly token: string | null;
  readonly signal: AbortSignal;
  /** Entity tags of files by URL: all ranges must be of the same version of a file. */
  readonly tags: Map<string, string>;
  /** Takes the next bytes of the range. */
  readonly onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Takes the whole file, where the host does not support range requests. */
  readonly onWhole: (body: WholeBody) => Promise<void>;
}

/**
 * Fetches the bytes `[start, end)` of a file, piece by piece.
 *
 * @throws {ProblemError} as `requestHub`; `wrong` where the response is not this range, `unreachable` where it ends early or stalls
 * @source RFC 9110, sections 13.1.5 (If-Range) and 14.2 (Range)
 */
export async function fetchRange(
  file: PlannedFile,
  [start, end]: readonly [start: number, end: number],
  options: RangeOptions,
): Promise<void> {
  const toError = (message: string) => new ProblemError('unreachable', message);
  await abortOnStall(withoutQuery(file.url), options.signal, toError, async (signal, onProgress) => {
    const response = await requestRange(file, `bytes=${start}-${end - 1}`, { ...options, signal });
    const isPart = checkIsPart(response, file, start);
    const cancel = () => response.body?.cancel().catch(() => undefined) ?? Promise.resolve();
    const read = (range: readonly [number, number], onPiece: OnPiece) =>
      readPieces(response, file, range, signal, (bytes, at) => {
        onProgress();
        onPiece(bytes, at);
      });
    if (isPart) await read([start, end], options.onBytes);
    else await options.onWhole({ cancel, read: (onPiece) => read([0, file.bytes], onPiece) });
  });
}

/** Reads a body whose first byte is at `from` of its file, up to `end`. */
async function readPieces(
  { body }: Response,
  { url }: PlannedFile,
  [from, end]: readonly [from: number, end: number],
  signal: AbortSignal,
  onPiece: OnPiece,
): Promise<void> {
  const reader = body?.getReader();
  let at = from;
  while (at < end) {
    const piece = await reader?.read().catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined; // the connection was cut: the missing bytes are requested again
    });
    if (piece?.value === undefined)
      throw new ProblemError('unreachable', `${withoutQuery(url)}: the connection was cut at byte ${at}`);
    const fresh = piece.value.subarray(0, end - at);
    if (fresh.length > 0) onPiece(fresh, at);
    at += fresh.length;
  }
  await reader?.cancel().catch(() => undefined); // the range is complete
}

/** `If-Range` needs a CORS preflight on hosts other than the hub; where it is refused, the request is sent without. */
async function requestRange({ url }: PlannedFile, range: string, options: RangeOptions): Promise<Response> {
  const { token, signal, tags } = options;
  const tag = tags.get(url);
  const send = (headers: Readonly<Record<string, string>>) => requestHub(url, { token, signal, headers });
  if (tag === undefined) return checkTag(await send({ Range: range }), url, tags);
  try {
    return checkTag(await send({ Range: range, 'If-Range': tag }), url, tags);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.kind !== 'unreachable') throw error;
    return checkTag(await send({ Range: range }), url, tags);
  }
}

function checkTag(response: Response, url: string, tags: Map<string, string>): Response {
  const tag = strongTag(response);
  const known = tags.get(url);
  if (tag !== undefined && known !== undefined && known !== tag) {
    void response.body?.cancel();
    throw new ChangedError('wrong', `${withoutQuery(url)} has changed since a part of it was fetched`);
  }
  if (tag !== undefined) tags.set(url, tag);
  return response;
}

/** Only a strong tag means the same bytes. */
function strongTag({ headers }: Response): string | undefined {
  const tag = headers.get('ETag');
  return tag === null || tag.startsWith('W/') ? undefined : tag;
}

/** Thrown when the file at a URL has changed since an earlier range of it. */
export class ChangedError extends ProblemError {}

/** Whether a response is the requested range; false: it is the whole file. @throws {ProblemError} `wrong` for anything else */
function checkIsPart(response: Response, { url, bytes }: PlannedFile, first: number): boolean {
  const refuse = (got: string): never => {
    void response.body?.cancel();
    throw new ProblemError('wrong', `${withoutQuery(url)}: expected ${bytes} bytes, got ${got}`);
  };
  if (/^text\/html/i.test(response.headers.get('Content-Type') ?? '') && !url.endsWith('.html')) refuse('an HTML page');
  if (response.status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '') ?? [];
    if (start === undefined) return true; // the host does not expose the header: the hash is checked later
    if (Number(start) !== first || Number(total) !== bytes) refuse(`those from ${start} of ${total}`);
    return true;
  }
  const length = response.headers.get('Content-Length');
  const isPlain = !response.headers.has('Content-Encoding');
  if (isPlain && length !== null && Number(length) !== bytes) refuse(`${length}`);
  return false; // no support for range requests
}

const MAX_ATTEMPTS = 5;

/** The first delay; each consecutive one is twice as long. */
const FIRST_DELAY_MS = 500;

/** Limits the hub's `Retry-After` too. */
const MAX_DELAY_MS = 60_000;

interface RetryOptions {
  readonly signal: AbortSignal;
  /** Grows while an attempt receives bytes; after such an attempt the count starts again. */
  readonly progress: () => number;
  /** Called before each delay. */
  readonly onWait: () => void;
  /** Tests replace it. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Repeats an attempt after temporary errors: a cut connection, a busy hub. @throws the error of the last attempt */
export async function retryWithBackoff(
  attempt: () => Promise<void>,
  { signal, progress, onWait, wait = delay }: RetryOptions,
): Promise<void> {
  for (let failures = 0, before = progress(); ;) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProblemError) || (error.kind !== 'unreachable' && error.kind !== 'busy')) throw error;
      failures = progress() > before ? 0 : failures + 1;
      before = progress();
      if (failures >= MAX_ATTEMPTS) throw error;
      onWait();
      await wait(Math.min(MAX_DELAY_MS, error.waitMs ?? FIRST_DELAY_MS * 2 ** failures), signal);
    }
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
