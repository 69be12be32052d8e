import { FailureError } from '../../src/contract/failure.ts';
import type { JobProgress } from '../../src/protocol/messages.ts';
import type { PrepareJob } from '../../src/protocol/model-job.ts';
import { isLarge, neededBytes } from '../../src/models/model.ts';
import type { ImageReader } from './images/image-reader.ts';
import type { FolderFiles } from './loading/model-files.ts';
import type { Tokenizer } from './loading/tokenizer.ts';
import type { Network } from './network.ts';

/** A model that is ready to run. */
export interface LoadedModel extends Pick<FolderFiles, 'config' | 'sentenceConfig' | 'sentenceModules' | 'generation'> {
  readonly network: Network;
  readonly tokenizer: Tokenizer;
  /** Of a model that reads pictures. */
  readonly images?: () => Promise<ImageReader>;
}

type OnProgress = (progress: JobProgress) => void;

interface Engine {
  /**
   * Runs a task with a model, which is loaded first and stays loaded until the task ends.
   *
   * @param signal  ends the wait for the model, which goes on loading for others
   */
  withModel<Value>(
    wanted: PrepareJob,
    onProgress: OnProgress,
    task: (model: LoadedModel) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value>;
  /** Releases the models of a folder as soon as no task uses them. */
  unload(folder: string): Promise<void>;
  /** Bytes that models may take. Left out: any number. */
  readonly memoryBudget?: number;
}

interface Entry {
  readonly name: string;
  readonly folder: string;
  /** Memory, about; 0 where it is not known, which counts as small. */
  readonly bytes: number;
  loaded: Promise<LoadedModel>;
  readonly listeners: Set<OnProgress>;
  /** Tasks that use it. */
  users: number;
  /** Called when no task uses it any more. */
  whenIdle: (() => void)[];
  release(): Promise<void>;
}

/**
 * Models by folder and device. Each is loaded once: callers that come while it loads wait for the same load and get its
 * progress. A failed or lost model is removed, so that the next caller tries again. A large model is released when another one is
 * wanted.
 *
 * @param load                   loads a folder onto a device; where it fails, it leaves nothing open
 * @param options.memoryBudget   bytes that models may take
 * @param options.replaceWorker  ends this worker, whose tasks then run in a new one: the memory of WebAssembly never shrinks. Called
 *                               instead of releasing a large model while no task uses any
 */
export function createEngine(
  load: (wanted: PrepareJob, onProgress: OnProgress) => Promise<LoadedModel>,
  {
    memoryBudget = Infinity,
    replaceWorker,
  }: { readonly memoryBudget?: number; readonly replaceWorker?: () => void } = {},
): Engine {
  const models = new Map<string, Entry>();
  const held = new Set<Entry>(); // and those that are being released
  let hasReleasedLarge = false;
  return {
    memoryBudget,
    async withModel(wanted, onProgress, task, signal) {
      signal?.throwIfAborted();
      const key = keyOf(wanted);
      if (!models.has(key) && isLarge(bytesOf(wanted)) && isReplaced()) return NEVER;
      const entry = models.get(key) ?? start(key, wanted);
      entry.users++;
      entry.listeners.add(onProgress);
      try {
        const loaded = Promise.race([entry.loaded, whenAborted(signal)]);
        const model = await loaded.finally(() => entry.listeners.delete(onProgress));
        return await task(model);
      } finally {
        entry.users--;
        if (entry.users === 0) for (const resolve of entry.whenIdle.splice(0)) resolve();
      }
    },
    async unload(folder) {
      const entries = [...models.values()].filter((entry) => entry.folder === folder);
      await Promise.all(entries.map((entry) => entry.release()));
    },
  };

  /** Whether this worker ends: it holds memory of a large model, and no task uses any. */
  function isReplaced(entries = [...held]): boolean {
    const isDue =
      (hasReleasedLarge || entries.some(({ bytes }) => isLarge(bytes))) && entries.every(({ users }) => users === 0);
    if (isDue) replaceWorker?.();
    return isDue && replaceWorker !== undefined;
  }

  function start(key: string, wanted: PrepareJob): Entry {
    const { name, folder } = wanted.model;
    const bytes = bytesOf(wanted);
    const others = [...held];
    const open = async (listen: OnProgress) => {
      await freeMemory({ name, bytes }, others, memoryBudget);
      return load(wanted, listen);
    };
    const forget = () => {
      if (models.get(key) === entry) models.delete(key); // the next caller loads it again
      hasReleasedLarge ||= isLarge(bytes);
    };
    const entry = createEntry({ name, folder, bytes }, open, forget, () => void held.delete(entry));
    models.set(key, entry);
    held.add(entry);
    return entry;
  }
}

/** Rejects with the reason of an abort. */
function whenAborted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}

/**
 * @param forget   called before the model is released, and where it cannot be loaded
 * @param onFreed  called after the model is released, and where it cannot be loaded
 */
function createEntry(
  about: Pick<Entry, 'name' | 'folder' | 'bytes'>,
  open: (onProgress: OnProgress) => Promise<LoadedModel>,
  forget: () => void,
  onFreed: () => void,
): Entry {
  const listeners = new Set<OnProgress>();
  let released: Promise<void> | undefined;
  const release = async () => {
    forget();
    if (entry.users > 0) await new Promise<void>((resolve) => entry.whenIdle.push(resolve));
    await (await entry.loaded.catch(() => undefined))?.network.release();
  };
  const entry: Entry = {
    ...about,
    listeners,
    users: 0,
    whenIdle: [],
    loaded: open((progress) => listeners.forEach((listen) => listen(progress))),
    release: () => (released ??= release().finally(onFreed)),
  };
  entry.loaded.catch(() => {
    forget();
    onFreed();
  });
  return entry;
}

/** Of a task that ends with its worker. */
const NEVER = new Promise<never>(() => undefined);

/** Weights on another machine take no memory here. */
function bytesOf({ remote, model }: PrepareJob): number {
  return remote ? 0 : (neededBytes(model) ?? 0);
}

/** The same folder is another model on another device, and another one with the input for steering. A replaced token opens the engine's again. */
function keyOf({ model, backend, remote, threads, steering }: PrepareJob): string {
  const device = remote ? [remote.address, remote.model, remote.token] : [backend ?? 'measured', threads ?? 'default'];
  return [model.folder, model.dtype, ...device, ...(steering ? ['steering'] : [])].join(' ');
}

/** The heap of WebAssembly has 32-bit addresses. */
const HEAP_BYTES = 4 * 2 ** 30;

/** Memory that models may take, in bytes. @param device  `navigator.deviceMemory`, GiB; undefined where the browser lacks it */
export function memoryBudget(device: number | undefined): number {
  // A file's bytes lie beside the heap while it is loaded, and the page and the system need memory too.
  return Math.min(HEAP_BYTES, device === undefined ? Infinity : (device / 2) * 2 ** 30);
}

/** Releases other large models that are idle. @throws {FailureError} OUT_OF_MEMORY with needed and free memory */
async function freeMemory(
  { name, bytes }: Pick<Entry, 'name' | 'bytes'>,
  others: readonly Entry[],
  budget: number,
): Promise<void> {
  if (!isLarge(bytes)) return;
  const idle = others.filter((other) => isLarge(other.bytes) && other.users === 0);
  for (const other of idle) await other.release();
  const remaining = others.filter((other) => !idle.includes(other));
  const free = Math.max(0, budget - remaining.reduce((sum, other) => sum + other.bytes, 0));
  if (bytes <= free) return;
  const inUse = remaining.filter((other) => isLarge(other.bytes)).map((other) => `"${other.name}"`);
  throw new FailureError(
    'OUT_OF_MEMORY',
    `model "${name}": needs about ${gigabytes(bytes)} of memory, ${gigabytes(free)} free` +
      (inUse.length > 0 ? ` beside ${inUse.join(', ')}, in use now` : '; take a smaller weight type'),
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
