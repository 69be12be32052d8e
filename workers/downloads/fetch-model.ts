import { createHash } from '../../src/fetching/hash.ts';
import {
  type DownloadTasks,
  type FetchProgress,
  ENTRIES,
  type FetchPlan,
  type PlannedFile,
} from '../../src/protocol/download-tasks.ts';
import { ChangedError, fetchRange, retryWithBackoff, type WholeBody } from './fetch-range.ts';
import { ProblemError } from './hub.ts';
import { type OpenFile, openModelFolder } from './model-folder.ts';

/** Requests at a time: a browser opens six to a host. */
const CONCURRENCY = 4;

interface FetchContext {
  readonly signal: AbortSignal;
  readonly progress: (progress: FetchProgress) => void;
  /** Lets messages in. */
  readonly pause: () => Promise<void>;
}

/**
 * Downloads a model into the browser's private file system, resuming an earlier attempt. The model is listed only once each
 * file has the size and the hash that the hub lists. A wrong file is discarded; all others stay for the next attempt.
 *
 * @throws {ProblemError} naming the file
 * @throws {DOMException} AbortError; the bytes on disk stay
 */
export async function fetchModel(
  { plan, token }: DownloadTasks['fetch']['input'],
  context: FetchContext,
): Promise<null> {
  const folder = await openModelFolder(plan.name);
  const tags = await resumePlan(folder, plan);
  const files: OpenFile[] = [];
  const segments = downloadSegments(plan.files.map(({ bytes }) => bytes));
  const journal = openJournal(await folder.openNote(ENTRIES.journal), segments);
  try {
    for (const { path } of plan.files) files.push(await folder.openFile(path));
    const whole = createWholeFiles(segments, (index, bytes) => write(index, bytes, fetching));
    const fetching: Fetching = { plan, token, files, segments, journal, tags, whole, ...context };
    try {
      await fetchMissing(fetching);
      await checkFiles(fetching);
    } finally {
      await folder.writeNote(ENTRIES.plan, { ...plan, tags: [...tags] });
    }
  } finally {
    journal.close();
    for (const file of files) file.close();
  }
  context.signal.throwIfAborted();
  await folder.finish({
    name: plan.name,
    from: plan.from,
    keptAt: Date.now(),
    files: Object.fromEntries(plan.files.map(({ path, bytes }) => [path, bytes])),
  });
  return null;
}

interface Fetching extends FetchContext {
  readonly plan: FetchPlan;
  readonly token: string | null;
  readonly files: readonly OpenFile[];
  readonly segments: readonly DownloadSegment[];
  readonly journal: ReturnType<typeof openJournal>;
  readonly tags: Map<string, string>;
  readonly whole: ReturnType<typeof createWholeFiles>;
}

/** Resumes the plan of an earlier attempt, or resets the folder where that plan differs. @returns entity tags by URL */
async function resumePlan(
  folder: Awaited<ReturnType<typeof openModelFolder>>,
  plan: FetchPlan,
): Promise<Map<string, string>> {
  const stored = await folder.readNote(ENTRIES.plan);
  const { tags, ...earlier } = { tags: [], ...(typeof stored === 'object' && stored) } as { readonly tags: unknown };
  if (JSON.stringify(earlier) === JSON.stringify(plan))
    return new Map(Array.isArray(tags) ? (tags as (readonly [string, string])[]) : []);
  await folder.reset();
  await folder.writeNote(ENTRIES.plan, plan);
  return new Map();
}

async function fetchMissing(fetching: Fetching): Promise<void> {
  const { segments } = fetching;
  const waiting = segments.map((_, index) => index).filter((index) => !isWhole(segments[index] as DownloadSegment));
  const stop = new AbortController();
  const within = { ...fetching, signal: AbortSignal.any([fetching.signal, stop.signal]) };
  report(fetching, 'fetching');
  const fetchNext = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) await fetchSegment(index, within);
  };
  const running = Array.from({ length: CONCURRENCY }, fetchNext);
  try {
    await Promise.all(running);
  } finally {
    stop.abort(); // one failure stops the others
    await Promise.allSettled(running);
  }
}

async function fetchSegment(index: number, fetching: Fetching): Promise<void> {
  const { segments, plan, token, tags, signal, whole } = fetching;
  const segment = segments[index] as DownloadSegment;
  const file = plan.files[segment.file] as PlannedFile;
  const onBytes = (bytes: Uint8Array<ArrayBuffer>) => write(index, bytes, fetching);
  const onWhole = (body: WholeBody) => whole.take(segment.file, body);
  const attempt = async () => {
    await whole.settled(segment.file);
    const rest = [segment.start + segment.done, segment.end] as const;
    if (!isWhole(segment)) await fetchRange(file, rest, { token, signal, tags, onBytes, onWhole });
  };
  try {
    await retryWithBackoff(attempt, {
      signal,
      progress: () => segment.done,
      onWait: () => report(fetching, 'waiting'),
    });
  } catch (error) {
    if (error instanceof ChangedError) resetFile(segment.file, fetching);
    throw error;
  }
}

function write(index: number, bytes: Uint8Array<ArrayBuffer>, fetching: Fetching): void {
  const { segments, plan, files, journal, signal } = fetching;
  signal.throwIfAborted();
  const segment = segments[index] as DownloadSegment;
  const written = (files[segment.file] as OpenFile).write(bytes, { at: segment.start + segment.done });
  if (written < bytes.length)
    throw new ProblemError('space', `${plan.files[segment.file]?.path}: the device has no room for more`);
  segment.done += bytes.length;
  journal.record(index);
  report(fetching, 'fetching');
}

function resetFile(file: number, { segments, journal, tags, plan }: Fetching): void {
  segments.forEach((segment, index) => {
    if (segment.file !== file) return;
    segment.done = 0;
    journal.record(index);
  });
  tags.delete(plan.files[file]?.url ?? '');
}

async function checkFiles(fetching: Fetching): Promise<void> {
  const { plan, files, signal } = fetching;
  const pause = async () => {
    await fetching.pause();
    signal.throwIfAborted();
  };
  report(fetching, 'checking');
  const wrong: string[] = [];
  for (const [index, file] of plan.files.entries()) {
    signal.throwIfAborted();
    const open = files[index] as OpenFile;
    if (open.getSize() > file.bytes) open.truncate(file.bytes);
    const problem = await problemOfFile(file, open, pause);
    if (problem === null) continue;
    resetFile(index, fetching);
    wrong.push(`${file.path}: ${problem}`);
  }
  if (wrong.length > 0) throw new ProblemError('wrong', wrong.join('; '));
}

function report({ plan, segments, progress, whole }: Fetching, phase: FetchProgress['phase']): void {
  const done = doneOfFiles(segments, plan.files.length);
  const files = plan.files.map(({ path, bytes }, index) => ({ path, done: done[index] ?? 0, total: bytes }));
  const sum = (field: 'done' | 'total') => files.reduce((all, file) => all + file[field], 0);
  progress({ phase, files, done: sum('done'), total: sum('total'), comesWhole: whole.any });
}

const BLOCK = 2 ** 20;

/**
 * Compares a downloaded file with its size and hash. The hub lists large files with their SHA-256, and small ones with the
 * name that git gives them.
 *
 * @param pause  lets messages in between blocks
 * @returns the problem; null: none
 * @source git: a blob is named by the SHA-1 of `blob <bytes>\0` and its content
 */
export async function problemOfFile(
  { bytes, sha256, gitHash }: PlannedFile,
  file: OpenFile,
  pause: () => Promise<void>,
): Promise<string | null> {
  const size = file.getSize();
  if (size !== bytes) return `expected ${bytes} bytes, got ${size}`;
  const expected = sha256 ?? gitHash;
  if (!expected) return null;
  const hash = createHash(sha256 === null ? 'sha1' : 'sha256');
  if (sha256 === null) hash.update(new TextEncoder().encode(`blob ${bytes}\0`));
  const block = new Uint8Array(BLOCK);
  for (let at = 0; at < size; at += BLOCK) {
    hash.update(block.subarray(0, file.read(block, { at })));
    await pause();
  }
  const found = hash.hex();
  return found === expected ? null : `expected ${bytes} bytes with the hash ${expected}, got as many with ${found}`;
}

/** A range `[start, end)` of a file, fetched by one request; its first `done` bytes are on disk. */
interface DownloadSegment {
  /** Index of its file in the plan. */
  readonly file: number;
  readonly start: number;
  readonly end: number;
  done: number;
}

/** Large enough for few requests, small enough to repeat little after an interruption. */
const SEGMENT_BYTES = 4 * 2 ** 20;

/** Divides files into segments, in the order of the files. An empty file has one segment. @param sizes in bytes */
export function downloadSegments(sizes: readonly number[], segmentBytes = SEGMENT_BYTES): DownloadSegment[] {
  return sizes.flatMap((bytes, file) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes / segmentBytes)) }, (_, index) => ({
      file,
      start: index * segmentBytes,
      end: Math.min(bytes, (index + 1) * segmentBytes),
      done: 0,
    })),
  );
}

/** Whether all bytes of a segment are on disk. */
export function isWhole({ start, end, done }: DownloadSegment): boolean {
  return done === end - start;
}

/** Bytes on disk of each file. */
export function doneOfFiles(segments: readonly DownloadSegment[], fileCount: number): number[] {
  const done = Array.from({ length: fileCount }, () => 0);
  for (const segment of segments) done[segment.file] = (done[segment.file] ?? 0) + segment.done;
  return done;
}

/**
 * Files from hosts without range requests: one response fills all segments of a file, so that the others do not request it again.
 *
 * @param segments  of all files
 * @param onBytes   takes the next missing bytes of a segment
 */
export function createWholeFiles(
  segments: readonly DownloadSegment[],
  onBytes: (index: number, bytes: Uint8Array<ArrayBuffer>) => void,
) {
  const reading = new Map<number, Promise<void>>();
  let any = false;
  const fillSegments = (file: number, bytes: Uint8Array<ArrayBuffer>, at: number) =>
    segments.forEach((segment, index) => {
      if (segment.file !== file || isWhole(segment)) return;
      const next = segment.start + segment.done - at;
      if (next < 0 || next >= bytes.length) return;
      onBytes(index, bytes.subarray(next, Math.min(bytes.length, segment.end - at)));
    });
  return {
    /** Whether any host has sent a whole file: an interrupted download of that file starts again from its first byte. */
    get any() {
      return any;
    },
    /** Waits for the response that fills this file, if there is one. The caller of `take` reports its error. */
    settled: (file: number): Promise<void> => reading.get(file)?.catch(() => undefined) ?? Promise.resolve(),
    /** Reads this response, or cancels it where another one already fills the file. */
    async take(file: number, body: WholeBody): Promise<void> {
      any = true;
      const other = reading.get(file);
      if (other) {
        await body.cancel();
        return other;
      }
      const read = body.read((bytes, at) => fillSegments(file, bytes, at)).finally(() => reading.delete(file));
      reading.set(file, read);
      return read;
    },
  };
}

/** Bytes of a journal's entry: the `done` of a segment, as a little-endian unsigned integer. */
const ENTRY_BYTES = 4;

/**
 * Opens the journal of what is on disk, and restores the `done` of each segment. A journal of another length is of another plan
 * and is reset. An entry is written after its bytes, so a tab that is closed at any moment leaves a journal that never counts
 * missing bytes.
 */
export function openJournal(file: OpenFile, segments: readonly DownloadSegment[]) {
  const bytes = new Uint8Array(segments.length * ENTRY_BYTES);
  if (file.getSize() === bytes.length) file.read(bytes, { at: 0 });
  else {
    file.truncate(0);
    file.write(bytes, { at: 0 });
  }
  const view = new DataView(bytes.buffer);
  segments.forEach((segment, index) => {
    const done = view.getUint32(index * ENTRY_BYTES, true);
    segment.done = done <= segment.end - segment.start ? done : 0;
  });
  return {
    /** Writes the `done` of a segment. */
    record(index: number) {
      const entry = new Uint8Array(ENTRY_BYTES);
      new DataView(entry.buffer).setUint32(0, segments[index]?.done ?? 0, true);
      file.write(entry, { at: index * ENTRY_BYTES });
    },
    close() {
      file.flush();
      file.close();
    },
  };
}
