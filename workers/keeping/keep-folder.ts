import type { KeepingTasks } from '../../src/protocol/keeping/keeping-tasks.ts';
import { openModelFolder, type OpenFile } from './device/model-folder.ts';
import type { TaskContext } from './fetching/fetch-model.ts';
import { ProblemError } from './problem.ts';

/**
 * Copies a folder of this device into the browser's private file system. What goes wrong leaves nothing behind.
 *
 * @throws {ProblemError} `space`, naming the file; `wrong` for a file that was changed or moved meanwhile
 * @throws {DOMException} AbortError
 */
export async function keepFolder({ name, held }: KeepingTasks['keep']['input'], context: TaskContext): Promise<null> {
  const folder = await openModelFolder(name);
  const files = Object.entries(held);
  const done = new Map(files.map(([path]) => [path, 0]));
  const tell = () => {
    const parts = files.map(([path, { size }]) => ({ path, done: done.get(path) ?? 0, total: size }));
    const sum = (field: 'done' | 'total') => parts.reduce((all, part) => all + part[field], 0);
    context.progress({ phase: 'fetching', files: parts, done: sum('done'), total: sum('total') });
  };
  try {
    for (const [path, blob] of files) {
      const file = await folder.openFile(path);
      const onBytes = (count: number) => (done.set(path, count), tell());
      await copied(blob, file, { path, onBytes, signal: context.signal }).finally(() => file.close());
    }
    const sizes = Object.fromEntries(files.map(([path, { size }]) => [path, size]));
    await folder.finish({ name, files: sizes, from: null, keptAt: Date.now() });
    return null;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** See `copied`. */
interface CopyOptions {
  readonly path: string;
  readonly onBytes: (count: number) => void;
  readonly signal: AbortSignal;
}

async function copied(blob: Blob, file: OpenFile, { path, onBytes, signal }: CopyOptions): Promise<void> {
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
