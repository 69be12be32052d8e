import { nextTask } from '../../src/contract/pause.ts';
import type { DownloadTaskKind, DownloadTasks, FetchProgress } from '../../src/protocol/download-tasks.ts';
import { HEARTBEAT_MS, threadHeartbeats, whileBeating } from '../engine/device/guard.ts';
import type { TaskContext } from '../serving/serve.ts';
import { fetchModel } from './fetch-model.ts';
import { findModel, ProblemError } from './hub.ts';
import { type OpenFile, openModelFolder } from './model-folder.ts';

type Context = Parameters<typeof fetchModel>[1];

/**
 * Copies a folder of this device into the browser's private file system. After an error the copy is removed.
 *
 * @throws {ProblemError} `space`, naming the file; `wrong` for a file that was changed or moved during the copy
 * @throws {DOMException} AbortError
 */
async function storeFolder(
  { name, held }: DownloadTasks['keep']['input'],
  { signal, progress }: Context,
): Promise<null> {
  const folder = await openModelFolder(name);
  const files = Object.entries(held);
  const done = new Map(files.map(([path]) => [path, 0]));
  const report = () => {
    const parts = files.map(([path, { size }]) => ({ path, done: done.get(path) ?? 0, total: size }));
    const sum = (field: 'done' | 'total') => parts.reduce((all, part) => all + part[field], 0);
    progress({ phase: 'fetching', files: parts, done: sum('done'), total: sum('total') });
  };
  try {
    await folder.reset();
    for (const [path, blob] of files) {
      const file = await folder.openFile(path);
      const onBytes = (count: number) => {
        done.set(path, count);
        report();
      };
      await copy(blob, file, { path, onBytes, signal }).finally(() => file.close());
    }
    const sizes = Object.fromEntries(files.map(([path, { size }]) => [path, size]));
    await folder.finish({ name, files: sizes, from: null, keptAt: Date.now() });
    return null;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function copy(
  blob: Blob,
  file: OpenFile,
  { path, onBytes, signal }: { path: string; onBytes: (count: number) => void; signal: AbortSignal },
): Promise<void> {
  file.truncate(0);
  const reader = blob.stream().getReader();
  let at = 0;
  for (;;) {
    const { value } = await reader.read().catch((error: unknown) => {
      throw new ProblemError('wrong', `${path} was changed or moved meanwhile: ${String(error)}`);
    });
    signal.throwIfAborted();
    if (value === undefined) break;
    if (file.write(value as Uint8Array<ArrayBuffer>, { at }) < value.length)
      throw new ProblemError('space', `${path}: the device has no room for more`);
    onBytes((at += value.length));
  }
  file.flush();
}

type Task<K extends DownloadTaskKind> = (
  input: DownloadTasks[K]['input'],
  context: TaskContext<DownloadTasks[K]['progress']>,
) => Promise<DownloadTasks[K]['output']>;

/** Every task of the worker, by its kind. */
export function createDownloadTasks(beat = threadHeartbeats.beat): {
  readonly [K in DownloadTaskKind]: Task<K>;
} {
  const withHeartbeat = <Value>(task: () => Promise<Value>) => whileBeating(task, HEARTBEAT_MS, beat);
  /** A task whose progress is throttled, and never sent after its end. */
  const reporting =
    <Input>(task: (input: Input, context: Context) => Promise<null>) =>
    (input: Input, { signal, progress }: TaskContext<FetchProgress>): Promise<null> => {
      const { report, end } = throttledProgress(progress);
      return withHeartbeat(() => task(input, { signal, progress: report, pause: nextTask }).finally(end));
    };
  return {
    look: (address, { signal }) => withHeartbeat(() => findModel(address, signal)),
    fetch: reporting(fetchModel),
    keep: reporting(storeFolder),
  };
}

/** The least time between two messages of progress, milliseconds. */
export const REPORT_MS = 100;

/** Sends the first and last progress of a phase at once, and in between the newest of each interval. */
export function throttledProgress(send: (progress: FetchProgress) => void) {
  let phase: FetchProgress['phase'] | null = null;
  let newest: FetchProgress | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sendNewest = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!newest) return;
    send(newest);
    newest = null;
    timer = setTimeout(sendNewest, REPORT_MS);
  };
  let hasEnded = false;
  return {
    report(progress: FetchProgress) {
      if (hasEnded) return;
      newest = progress;
      if (timer === undefined || progress.phase !== phase || progress.done === progress.total) sendNewest();
      phase = progress.phase;
    },
    /** Sends nothing from now on: the task's last message follows. */
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
