import { stallMessage, watchForStall } from '../../engine/loading/stall.ts';
import type { PlannedFile } from '../../../src/protocol/keeping/kept-model.ts';
import { askHub, withoutQuery } from '../hub/hub-request.ts';
import { ProblemError } from '../problem.ts';
import type { Segment } from './segments.ts';
import type { OnPiece, WholeBody } from './whole-file.ts';

/** How a stretch is fetched. */
export interface StretchOptions {
  readonly token: string | null;
  readonly signal: AbortSignal;
  /** Entity tags of files, by their addresses: what has come must be of the same file as what comes. */
  readonly tags: Map<string, string>;
  /** Takes bytes of the file from this place on. */
  readonly onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Takes all of the file, where the host sends no parts. */
  readonly onWhole: (body: WholeBody) => Promise<void>;
}

/**
 * Fetches what is missing of a stretch, piece by piece.
 *
 * @throws {ProblemError} as `askHub`; `wrong` where something else than these bytes comes, `unreachable` where they end too early or stall
 * @source RFC 9110, sections 13.1.5 (If-Range) and 14.2 (Range)
 */
export async function fetchStretch(file: PlannedFile, segment: Segment, options: StretchOptions): Promise<void> {
  const watch = watchForStall(options.signal);
  try {
    await fetchWatched(file, segment, { ...options, signal: watch.signal }, watch.moved);
  } catch (error) {
    if (!watch.hasStalled || options.signal.aborted) throw error;
    throw new ProblemError('unreachable', stallMessage(withoutQuery(file.url)));
  } finally {
    watch.end();
  }
}

async function fetchWatched(
  file: PlannedFile,
  segment: Segment,
  options: StretchOptions,
  moved: () => void,
): Promise<void> {
  const { signal, onBytes } = options;
  const first = segment.start + segment.done;
  const response = await askForBytes(file, `bytes=${first}-${segment.end - 1}`, options);
  const isPart = checkedPart(response, file, first);
  const cancel = () => response.body?.cancel().catch(() => undefined) ?? Promise.resolve();
  const read = (from: number, end: number, onPiece: OnPiece) =>
    readPieces(response, { file, from, end, signal }, (bytes, at) => {
      moved();
      onPiece(bytes, at);
    });
  if (isPart) await read(first, segment.end, onBytes);
  else await options.onWhole({ cancel, read: (onPiece) => read(0, file.bytes, onPiece) });
}

interface Reading {
  readonly file: PlannedFile;
  /** Place in the file where the body begins, and up to which it is read. */
  readonly from: number;
  readonly end: number;
  readonly signal: AbortSignal;
}

async function readPieces({ body }: Response, { file, from, end, signal }: Reading, onPiece: OnPiece): Promise<void> {
  const reader = body?.getReader();
  let at = from;
  while (at < end) {
    const piece = await (reader?.read() ?? Promise.resolve(undefined)).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined; // the connection was cut: what is missing is asked for again
    });
    if (piece?.value === undefined) throw new ProblemError('unreachable', cutShort(file, at));
    const fresh = piece.value.subarray(0, end - at) as Uint8Array<ArrayBuffer>;
    if (fresh.length > 0) onPiece(fresh, at);
    at += fresh.length;
  }
  await reader?.cancel().catch(() => undefined); // all that was wanted is here
}

/** If-Range asks leave of a host that is not the hub's own; one that knows it not is asked without. */
async function askForBytes({ url }: PlannedFile, range: string, options: StretchOptions): Promise<Response> {
  const { token, signal, tags } = options;
  const tag = tags.get(url);
  const ask = (headers: Readonly<Record<string, string>>) => askHub(url, { token, signal, headers });
  if (tag === undefined) return noted(await ask({ Range: range }), url, tags);
  try {
    return noted(await ask({ Range: range, 'If-Range': tag }), url, tags);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.kind !== 'unreachable') throw error;
    const response = await ask({ Range: range });
    const other = strongTag(response);
    if (other !== undefined && other !== tag) throw changed(url);
    return response;
  }
}

function noted(response: Response, url: string, tags: Map<string, string>): Response {
  const tag = strongTag(response);
  const known = tags.get(url);
  if (tag !== undefined && known !== undefined && known !== tag) {
    void response.body?.cancel();
    throw changed(url);
  }
  if (tag !== undefined) tags.set(url, tag);
  return response;
}

/** Only a strong tag promises the same bytes. */
function strongTag({ headers }: Response): string | undefined {
  const tag = headers.get('ETag');
  return tag === null || tag.startsWith('W/') ? undefined : tag;
}

/** Thrown when the file at an address is another one than that of which a part has come. */
export class ChangedError extends ProblemError {}

function changed(url: string): ChangedError {
  return new ChangedError('wrong', `${withoutQuery(url)} has changed since a part of it was fetched`);
}

/** Whether a body begins with what was asked for; else it is the file from its beginning. */
function checkedPart(response: Response, { url, bytes }: PlannedFile, first: number): boolean {
  const refuse = (got: string): never => {
    void response.body?.cancel();
    throw new ProblemError('wrong', `${withoutQuery(url)}: expected ${bytes} bytes, got ${got}`);
  };
  if (/^text\/html/i.test(response.headers.get('Content-Type') ?? '') && !url.endsWith('.html')) refuse('an HTML page');
  if (response.status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '') ?? [];
    if (start === undefined) return true; // a host that does not let the header be read: the hash judges
    if (Number(start) !== first || Number(total) !== bytes) refuse(`those from ${start} of ${total}`);
    return true;
  }
  const length = response.headers.get('Content-Length');
  const isPlain = !response.headers.has('Content-Encoding');
  if (isPlain && length !== null && Number(length) !== bytes) refuse(`${length}`);
  return false; // this host sends no parts
}

function cutShort({ url }: PlannedFile, at: number): string {
  return `${withoutQuery(url)}: the connection was cut at byte ${at}`;
}
