import type { FetchProgress, KeepingTasks } from '../../../src/protocol/keeping/keeping-tasks.ts';
import { ENTRIES, type FetchPlan, type PlannedFile } from '../../../src/protocol/keeping/kept-model.ts';
import { type ModelFolder, type OpenFile, openModelFolder } from '../device/model-folder.ts';
import { ProblemError } from '../problem.ts';
import { problemOfFile } from './file-hash.ts';
import { openJournal } from './journal.ts';
import { patiently } from './patience.ts';
import { doneOfFiles, isWhole, type Segment, segmentsOf } from './segments.ts';
import { ChangedError, fetchStretch } from './stretch.ts';
import { type WholeBody, type WholeFiles, wholeFiles } from './whole-file.ts';

/** Requests at a time: a browser opens six to a host. */
const STREAMS = 4;

/** What a task may use. */
export interface TaskContext {
  readonly signal: AbortSignal;
  readonly progress: (progress: FetchProgress) => void;
  /** Lets messages in. */
  readonly pause: () => Promise<void>;
}

/**
 * Fetches a model, or what an earlier attempt has left missing, and keeps it. Nothing counts as kept before each file has the size
 * and the hash that the hub has for it. A file that is wrong is dropped, all others stay for the next attempt.
 *
 * @throws {ProblemError} naming the file
 * @throws {DOMException} AbortError; what has come stays
 */
export async function fetchModel({ plan, token }: KeepingTasks['fetch']['input'], context: TaskContext): Promise<null> {
  const folder = await openModelFolder(plan.name);
  const tags = await takeUp(folder, plan);
  const files: OpenFile[] = [];
  const segments = segmentsOf(plan.files.map(({ bytes }) => bytes));
  const journal = openJournal(await folder.openNote(ENTRIES.journal), segments);
  try {
    for (const { path } of plan.files) files.push(await folder.openFile(path));
    const whole = wholeFiles(segments, (index, bytes) => keep(index, bytes, fetching));
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
  await folder.finish({
    ...{ name: plan.name, from: plan.from, keptAt: Date.now() },
    files: Object.fromEntries(plan.files.map(({ path, bytes }) => [path, bytes])),
  });
  return null;
}

/** What a model is fetched with. */
interface Fetching extends TaskContext {
  readonly plan: FetchPlan;
  readonly token: string | null;
  readonly files: readonly OpenFile[];
  readonly segments: readonly Segment[];
  readonly journal: ReturnType<typeof openJournal>;
  readonly tags: Map<string, string>;
  readonly whole: WholeFiles;
}

/** Goes on where the same plan was broken off; what is there of another one is removed. @returns the tags of its files */
async function takeUp(folder: ModelFolder, plan: FetchPlan): Promise<Map<string, string>> {
  const noted: unknown = await folder.readNote(ENTRIES.plan);
  const { tags, ...begun } = { tags: [], ...(typeof noted === 'object' && noted) } as { readonly tags: unknown };
  if (JSON.stringify(begun) === JSON.stringify(plan))
    return new Map(Array.isArray(tags) ? (tags as (readonly [string, string])[]) : []);
  const journal = await folder.openNote(ENTRIES.journal);
  journal.truncate(0);
  journal.close();
  await folder.writeNote(ENTRIES.plan, plan);
  return new Map();
}

async function fetchMissing(fetching: Fetching): Promise<void> {
  const { segments } = fetching;
  const waiting = segments.map((_, index) => index).filter((index) => !isWhole(segments[index] as Segment));
  const ended = new AbortController();
  const within = { ...fetching, signal: AbortSignal.any([fetching.signal, ended.signal]) };
  tell(fetching, 'fetching');
  const stream = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) await fetchSegment(index, within);
  };
  const streams = Array.from({ length: STREAMS }, stream);
  try {
    await Promise.all(streams);
  } finally {
    ended.abort(); // one that has failed ends the others
    await Promise.allSettled(streams);
  }
}

async function fetchSegment(index: number, fetching: Fetching): Promise<void> {
  const { segments, plan, token, tags, signal, whole } = fetching;
  const segment = segments[index] as Segment;
  const file = plan.files[segment.file] as PlannedFile;
  const onBytes = (bytes: Uint8Array<ArrayBuffer>) => keep(index, bytes, fetching);
  const onWhole = (body: WholeBody) => whole.take(segment.file, body);
  const attempt = async () => {
    await whole.arrival(segment.file);
    if (!isWhole(segment)) await fetchStretch(file, segment, { token, signal, tags, onBytes, onWhole });
  };
  try {
    await patiently(attempt, { signal, progress: () => segment.done, onWait: () => tell(fetching, 'waiting') });
  } catch (error) {
    if (error instanceof ChangedError) forget(segment.file, fetching);
    throw error;
  }
}

/** Writes the next bytes of a stretch. */
function keep(index: number, bytes: Uint8Array<ArrayBuffer>, fetching: Fetching): void {
  const { segments, plan, files, journal, signal } = fetching;
  signal.throwIfAborted();
  const segment = segments[index] as Segment;
  const written = (files[segment.file] as OpenFile).write(bytes, { at: segment.start + segment.done });
  if (written < bytes.length)
    throw new ProblemError('space', `${plan.files[segment.file]?.path}: the device has no room for more`);
  segment.done += bytes.length;
  journal.note(index);
  tell(fetching, 'fetching');
}

/** Nothing of a file counts as there. */
function forget(file: number, { segments, journal, tags, plan }: Fetching): void {
  segments.forEach((segment, index) => {
    if (segment.file !== file) return;
    segment.done = 0;
    journal.note(index);
  });
  tags.delete(plan.files[file]?.url ?? '');
}

async function checkFiles(fetching: Fetching): Promise<void> {
  const { plan, files, signal, pause } = fetching;
  tell(fetching, 'checking');
  const wrong: string[] = [];
  for (const [index, file] of plan.files.entries()) {
    signal.throwIfAborted();
    const open = files[index] as OpenFile;
    if (open.getSize() > file.bytes) open.truncate(file.bytes);
    const problem = await problemOfFile(file, open, pause);
    if (problem === null) continue;
    forget(index, fetching);
    wrong.push(`${file.path}: ${problem}`);
  }
  if (wrong.length > 0) throw new ProblemError('wrong', wrong.join('; '));
}

function tell({ plan, segments, progress, whole }: Fetching, phase: FetchProgress['phase']): void {
  const done = doneOfFiles(segments, plan.files.length);
  const files = plan.files.map(({ path, bytes }, index) => ({ path, done: done[index] ?? 0, total: bytes }));
  const sum = (field: 'done' | 'total') => files.reduce((all, file) => all + file[field], 0);
  progress({ phase, files, done: sum('done'), total: sum('total'), comesWhole: whole.any });
}
