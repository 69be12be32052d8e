import { ENTRIES, entryName, STORED_MODELS_FOLDER, type StoredModel } from '../../src/protocol/download-tasks.ts';

/** A file of the browser's private file system, opened exclusively for reading and writing. */
export interface OpenFile {
  /** @returns bytes read */
  read(into: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  /** @returns bytes written */
  write(from: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  truncate(bytes: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** Opens a model's folder, or creates it. */
export async function openModelFolder(name: string) {
  const root = await navigator.storage.getDirectory();
  const models = await root.getDirectoryHandle(STORED_MODELS_FOLDER, { create: true });
  const folder = await models.getDirectoryHandle(entryName(name), { create: true });
  const files = await folder.getDirectoryHandle(ENTRIES.files, { create: true });
  const removeNotes = async (...notes: readonly string[]) => {
    for (const note of notes) await folder.removeEntry(note).catch(ignoreAbsent);
  };
  return {
    openFile: (path: string) => opened(files, entryName(path)),
    openNote: (note: (typeof ENTRIES)['journal']) => opened(folder, note),
    /** Null where it is missing, or not JSON. */
    readNote: (note: (typeof ENTRIES)['plan']) => readJson(folder, note),
    writeNote: (note: (typeof ENTRIES)['plan'], value: unknown) => writeJson(folder, note, value),
    /** Lists the model: all its files are complete. */
    async finish(record: StoredModel) {
      await writeJson(folder, ENTRIES.record, record);
      await removeNotes(ENTRIES.plan, ENTRIES.journal);
    },
    /** Takes a stored model off the list and forgets an unfinished download, because other files replace theirs. */
    reset: () => removeNotes(ENTRIES.record, ENTRIES.plan, ENTRIES.journal),
    remove: () => models.removeEntry(entryName(name), { recursive: true }),
  };
}

async function opened(folder: FileSystemDirectoryHandle, name: string): Promise<OpenFile> {
  const handle: unknown = await folder.getFileHandle(name, { create: true });
  // The types of a page lack the method, which exists in workers only.
  return withCheckedWrites(await (handle as { createSyncAccessHandle(): Promise<OpenFile> }).createSyncAccessHandle());
}

/**
 * A file whose `write` counts the bytes that are really in it: where the quota is used up, Chromium's private windows report
 * bytes as written that are not, and `estimate` guarantees nothing.
 */
export function withCheckedWrites(file: OpenFile): OpenFile {
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
