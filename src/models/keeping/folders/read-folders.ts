import type { FileTree } from './models-in.ts';

/** A folder with more files than this is no model's, and reading on would only cost time. */
const MOST_FILES = 5000;

/** Levels of folders that are looked through. */
const DEPTH = 10;

/** Files of an input that asked for a folder, or for files. */
export function filesOfInput(files: readonly File[]): FileTree {
  return new Map(files.slice(0, MOST_FILES).map((file) => [file.webkitRelativePath || file.name, file]));
}

/**
 * Files and folders that were dropped.
 *
 * @param entries  taken from the event while it was handled: they are gone afterwards
 * @throws {DOMException} where the browser refuses to read one
 */
export async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<FileTree> {
  const files = new Map<string, Blob>();
  const visit = async (entry: FileSystemEntry, parts: readonly string[]): Promise<void> => {
    const path = [...parts, entry.name];
    if (files.size >= MOST_FILES || path.length > DEPTH) return;
    if (entry.isFile) files.set(path.join('/'), await fileOf(entry as FileSystemFileEntry));
    else for (const inner of await entriesIn(entry as FileSystemDirectoryEntry)) await visit(inner, path);
  };
  for (const entry of entries) await visit(entry, []);
  return files;
}

/** A folder that somebody picked. @throws {DOMException} where the browser refuses to read it */
export async function filesOfFolder(folder: FileSystemDirectoryHandle): Promise<FileTree> {
  const files = new Map<string, Blob>();
  const visit = async (handle: FileSystemDirectoryHandle, parts: readonly string[]): Promise<void> => {
    for await (const [name, inner] of handle.entries()) {
      const path = [...parts, name];
      if (files.size >= MOST_FILES || path.length > DEPTH) return;
      if (inner.kind === 'file') files.set(path.join('/'), await (inner as FileSystemFileHandle).getFile());
      else await visit(inner as FileSystemDirectoryHandle, path);
    }
  };
  await visit(folder, [folder.name]);
  return files;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives a part of the entries at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
