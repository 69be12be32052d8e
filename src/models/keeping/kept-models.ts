import type { HeldFiles } from '../model.ts';
import {
  ENTRIES,
  entryName,
  type FetchPlan,
  KEPT_MODELS,
  type KeptModel,
  textOfEntry,
} from '../../protocol/keeping/kept-model.ts';

/** A model that was not fetched to its end. */
export interface BegunModel {
  readonly plan: FetchPlan;
  /** Bytes that are here. */
  readonly done: number;
}

/** What the browser keeps of models. */
export interface KeptModels {
  readonly kept: readonly KeptModel[];
  readonly begun: readonly BegunModel[];
}

/** The part of `navigator.storage` that is used. */
export type PrivateStorage = Pick<StorageManager, 'getDirectory'>;

/** What is kept; nothing where the browser has no private file system, or forbids it. What cannot be read is left out. */
export async function listKept(storage: PrivateStorage = navigator.storage): Promise<KeptModels> {
  const kept: KeptModel[] = [];
  const begun: BegunModel[] = [];
  for (const [name, folder] of await foldersOf(storage)) {
    const record = await readJson(folder, ENTRIES.record);
    if (isRecordOf(name, record)) kept.push(record);
    else {
      const plan = await readJson(folder, ENTRIES.plan);
      if (isPlanOf(name, plan)) begun.push({ plan: bare(plan), done: await bytesNoted(folder) });
    }
  }
  return { kept: kept.toSorted((a, b) => a.name.localeCompare(b.name)), begun };
}

/** The files of a kept model. @throws {Error} naming the file that is not there */
export async function openKept(
  { name, files }: KeptModel,
  storage: PrivateStorage = navigator.storage,
): Promise<HeldFiles> {
  const models = await (await storage.getDirectory()).getDirectoryHandle(KEPT_MODELS);
  const folder = await (await models.getDirectoryHandle(entryName(name))).getDirectoryHandle(ENTRIES.files);
  const held: Record<string, Blob> = {};
  for (const [path, bytes] of Object.entries(files)) {
    const file = await (await folder.getFileHandle(entryName(path))).getFile();
    if (file.size !== bytes) throw new Error(`${name}: ${path}: expected ${bytes} bytes, got ${file.size}`);
    held[path] = file;
  }
  return held;
}

/** Removes what is kept of a model, or has come of it. */
export async function removeKept(name: string, storage: PrivateStorage = navigator.storage): Promise<void> {
  const models = await (await storage.getDirectory()).getDirectoryHandle(KEPT_MODELS, { create: true });
  await models.removeEntry(entryName(name), { recursive: true }).catch((error: unknown) => {
    if (!(error instanceof DOMException) || error.name !== 'NotFoundError') throw error;
  });
}

/** Name of the Web Lock of whoever writes or removes a model: one tab at a time. */
export function keepingLock(name: string): string {
  return `lightwell model ${name}`;
}

/** Bytes of all files. */
export function bytesOfFiles(files: Readonly<Record<string, number>>): number {
  return Object.values(files).reduce((sum, bytes) => sum + bytes, 0);
}

async function foldersOf(storage: PrivateStorage): Promise<readonly (readonly [string, FileSystemDirectoryHandle])[]> {
  const found: (readonly [string, FileSystemDirectoryHandle])[] = [];
  try {
    const models = await (await storage.getDirectory()).getDirectoryHandle(KEPT_MODELS);
    for await (const [entry, handle] of models.entries()) {
      const name = textOfEntry(entry);
      if (name !== undefined && handle.kind === 'directory') found.push([name, handle as FileSystemDirectoryHandle]);
    }
  } catch {
    return found; // none yet, or forbidden
  }
  return found;
}

async function readJson(folder: FileSystemDirectoryHandle, name: string): Promise<unknown> {
  try {
    return JSON.parse(await (await (await folder.getFileHandle(name)).getFile()).text());
  } catch {
    return null;
  }
}

/** The journal holds an unsigned integer of four bytes for each stretch. */
async function bytesNoted(folder: FileSystemDirectoryHandle): Promise<number> {
  try {
    const journal = await (await (await folder.getFileHandle(ENTRIES.journal)).getFile()).arrayBuffer();
    const noted = new Uint32Array(journal.slice(0, journal.byteLength - (journal.byteLength % 4)));
    return noted.reduce((sum, each) => sum + each, 0);
  } catch {
    return 0;
  }
}

function isRecordOf(name: string, value: unknown): value is KeptModel {
  if (typeof value !== 'object' || value === null) return false;
  const { name: noted, files } = value as Partial<KeptModel>;
  return noted === name && typeof files === 'object' && files !== null;
}

/** Without what the worker notes beside it: the same plan must be known again. */
function bare({ name, from, files }: FetchPlan): FetchPlan {
  return { name, from, files };
}

function isPlanOf(name: string, value: unknown): value is FetchPlan {
  if (typeof value !== 'object' || value === null) return false;
  const { name: noted, files, from } = value as Partial<FetchPlan>;
  return noted === name && Array.isArray(files) && typeof from === 'object' && from !== null;
}
