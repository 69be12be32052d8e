import { ENTRIES, entryName, KEPT_MODELS, type KeptModel } from '../../../src/protocol/keeping/kept-model.ts';

/** A file of the browser's private file system that is open for reading and writing, here alone. */
export interface OpenFile {
  /** @returns how many bytes there were */
  read(into: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  /** @returns how many bytes there was room for */
  write(from: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  truncate(bytes: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** What workers alone have of a file's handle; the types of a page lack it. */
interface WorkerFileHandle {
  createSyncAccessHandle(): Promise<OpenFile>;
}

/** The folder of a model that is kept, or on its way. */
export interface ModelFolder {
  /** A file of the model; it is made where it is not there. */
  openFile(path: string): Promise<OpenFile>;
  /** One of the notes beside the files. */
  openNote(name: (typeof ENTRIES)['journal']): Promise<OpenFile>;
  /** Null where it is not there, or is no JSON. */
  readNote(name: (typeof ENTRIES)['plan']): Promise<unknown>;
  writeNote(name: (typeof ENTRIES)['plan'], value: unknown): Promise<void>;
  /** All files are there: the model is kept from now on. */
  finish(record: KeptModel): Promise<void>;
  /** Removes all of it. */
  remove(): Promise<void>;
}

/** Opens a model's folder, and makes it where it is not there. */
export async function openModelFolder(name: string): Promise<ModelFolder> {
  const root = await navigator.storage.getDirectory();
  const models = await root.getDirectoryHandle(KEPT_MODELS, { create: true });
  const folder = await models.getDirectoryHandle(entryName(name), { create: true });
  const files = await folder.getDirectoryHandle(ENTRIES.files, { create: true });
  return {
    openFile: (path) => opened(files, entryName(path)),
    openNote: (note) => opened(folder, note),
    readNote: (note) => readJson(folder, note),
    writeNote: (note, value) => writeJson(folder, note, value),
    async finish(record) {
      await writeJson(folder, ENTRIES.record, record);
      for (const note of [ENTRIES.plan, ENTRIES.journal]) await folder.removeEntry(note).catch(ignoreAbsent);
    },
    remove: () => models.removeEntry(entryName(name), { recursive: true }),
  };
}

async function opened(folder: FileSystemDirectoryHandle, name: string): Promise<OpenFile> {
  const handle: unknown = await folder.getFileHandle(name, { create: true });
  return honest(await (handle as WorkerFileHandle).createSyncAccessHandle());
}

/**
 * A file whose `write` says what has really come to lie in it: where the browser's room is used up, Chromium's private windows say that
 * they have written what they have not, and what `estimate` allows is no promise.
 */
export function honest(file: OpenFile): OpenFile {
  return {
    read: (into, options) => file.read(into, options),
    write(from, options) {
      const written = file.write(from, options);
      return Math.max(0, Math.min(written, file.getSize() - options.at));
    },
    truncate: (bytes) => file.truncate(bytes),
    getSize: () => file.getSize(),
    flush: () => file.flush(),
    close: () => file.close(),
  };
}

async function readJson(folder: FileSystemDirectoryHandle, name: string): Promise<unknown> {
  try {
    return JSON.parse(await (await (await folder.getFileHandle(name)).getFile()).text());
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    return ignoreAbsent(error);
  }
}

async function writeJson(folder: FileSystemDirectoryHandle, name: string, value: unknown): Promise<void> {
  const file = await opened(folder, name);
  try {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    file.truncate(0);
    file.write(bytes, { at: 0 });
    file.flush();
  } finally {
    file.close();
  }
}

function ignoreAbsent(error: unknown): null {
  if (error instanceof DOMException && error.name === 'NotFoundError') return null;
  throw error;
}
