import {
  type DownloadProblem,
  type DownloadTasks,
  ENTRIES,
  entryName,
  type FetchPlan,
  STORED_MODELS_FOLDER,
  type StoredModel,
  textOfEntry,
} from '../protocol/download-tasks.ts';
import { spawnWorker, type WorkerPort } from '../scheduler/spawn.ts';
import { createTaskClient, type TaskClient } from '../scheduler/task-port.ts';
import { isRecord } from '../contract/records.ts';
import type { HeldFiles } from '../models/model.ts';

/** A task that went wrong. */
export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure';
  readonly problem: DownloadProblem;

  constructor(problem: DownloadProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/**
 * The page's end of the worker that fetches models. A task rejects with a `DownloadFailure` when it fails or the worker dies, and with the
 * reason of its signal once the worker has closed its files.
 */
export type DownloadsClient = Pick<TaskClient<DownloadTasks>, 'run'>;

/** A worker that starts with its first task. */
export function createDownloadsClient(spawn: () => WorkerPort = () => spawnWorker('downloads')): DownloadsClient {
  return createTaskClient<DownloadTasks, DownloadProblem>({
    spawn,
    awaitsCancel: true,
    errorOf: (outcome) =>
      new DownloadFailure(outcome.type === 'failed' ? outcome.failure : { kind: 'other', detail: outcome.reason }),
  });
}

interface StoredModels {
  readonly complete: readonly StoredModel[];
  /** Models whose download has not finished; `done`: bytes that are stored. */
  readonly partial: readonly { readonly plan: FetchPlan; readonly done: number }[];
}

/** The models that the browser stores, and its space for them. Tests replace it. */
export type ModelStorage = ReturnType<typeof createModelStorage>;

/** The storage of this browser. */
export function createModelStorage({
  storage,
  locks,
}: Pick<Navigator, 'storage'> & { readonly locks: Pick<LockManager, 'request'> } = navigator) {
  return {
    /** Empty where the browser has no private file system, or forbids it. Unreadable models are left out. */
    list: () => listStoredModels(storage),
    /** The files of a model. @throws {Error} with the name of a file that is missing or has another size */
    open: (model: StoredModel) => openStoredModel(model, storage),
    remove: (name: string) => removeStoredModel(name, storage),
    /** Bytes; null where the browser does not report them. */
    async space() {
      const { usage, quota } = await storage.estimate().catch(() => ({ usage: undefined, quota: undefined }));
      return usage === undefined || quota === undefined ? null : { used: usage, allowed: quota };
    },
    /** Requests that the browser keeps the models until the user removes them. */
    persist: () => storage.persist().catch(() => false),
    locks,
  };
}

async function listStoredModels(storage: StorageManager): Promise<StoredModels> {
  const complete: StoredModel[] = [];
  const partial: StoredModels['partial'][number][] = [];
  for (const [name, folder] of await foldersOf(storage)) {
    const record = await readJson(folder, ENTRIES.record);
    if (isRecordOf(name, record)) complete.push(record);
    else {
      const plan = await readJson(folder, ENTRIES.plan);
      if (isPlanOf(name, plan)) partial.push({ plan: withoutNotes(plan), done: await recordedBytes(folder) });
    }
  }
  return { complete: complete.toSorted((a, b) => a.name.localeCompare(b.name)), partial };
}

async function openStoredModel({ name, files }: StoredModel, storage: StorageManager): Promise<HeldFiles> {
  const models = await (await storage.getDirectory()).getDirectoryHandle(STORED_MODELS_FOLDER);
  const folder = await (await models.getDirectoryHandle(entryName(name))).getDirectoryHandle(ENTRIES.files);
  const held: Record<string, Blob> = {};
  for (const [path, bytes] of Object.entries(files)) {
    const file = await (await folder.getFileHandle(entryName(path))).getFile();
    if (file.size !== bytes) throw new Error(`${name}: ${path}: expected ${bytes} bytes, got ${file.size}`);
    held[path] = file;
  }
  return held;
}

async function removeStoredModel(name: string, storage: StorageManager): Promise<void> {
  const models = await (await storage.getDirectory()).getDirectoryHandle(STORED_MODELS_FOLDER, { create: true });
  await models.removeEntry(entryName(name), { recursive: true }).catch((error: unknown) => {
    if (!(error instanceof DOMException) || error.name !== 'NotFoundError') throw error;
  });
}

/** Name of the Web Lock for writing or removing a model: one tab at a time. */
export function storageLock(name: string): string {
  return `lightwell model ${name}`;
}

async function foldersOf(storage: StorageManager): Promise<readonly (readonly [string, FileSystemDirectoryHandle])[]> {
  const folders: (readonly [string, FileSystemDirectoryHandle])[] = [];
  try {
    const models = await (await storage.getDirectory()).getDirectoryHandle(STORED_MODELS_FOLDER);
    for await (const [entry, handle] of models.entries()) {
      const name = textOfEntry(entry);
      if (name !== undefined && handle.kind === 'directory') folders.push([name, handle as FileSystemDirectoryHandle]);
    }
  } catch {
    return folders; // none yet, or forbidden
  }
  return folders;
}

async function readJson(folder: FileSystemDirectoryHandle, name: string): Promise<unknown> {
  try {
    return JSON.parse(await (await (await folder.getFileHandle(name)).getFile()).text());
  } catch {
    return null;
  }
}

/** Sum of the journal: an unsigned 32-bit integer for each range of bytes. */
async function recordedBytes(folder: FileSystemDirectoryHandle): Promise<number> {
  try {
    const journal = await (await (await folder.getFileHandle(ENTRIES.journal)).getFile()).arrayBuffer();
    const ranges = new Uint32Array(journal.slice(0, journal.byteLength - (journal.byteLength % 4)));
    return ranges.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return 0;
  }
}

function isRecordOf(name: string, value: unknown): value is StoredModel {
  return isRecord(value) && value['name'] === name && isRecord(value['files']);
}

/** Without the notes of the worker: the same plan must compare as equal. */
function withoutNotes({ name, from, files }: FetchPlan): FetchPlan {
  return { name, from, files };
}

function isPlanOf(name: string, value: unknown): value is FetchPlan {
  return isRecord(value) && value['name'] === name && Array.isArray(value['files']) && isRecord(value['from']);
}
