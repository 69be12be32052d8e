import { hubPath, isModelFile } from '../../../contract/wire/model-folder.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { HeldFiles } from '../../../models/model.ts';
import type { FetchProgress, HubOrigin, StoredModel } from '../../../protocol/download-tasks.ts';
import { storageLock } from '../../../downloads/downloads.ts';
import { messageOf } from '../../../contract/failure.ts';
import type { OwnModelsSource } from '../../../stores/model-home.ts';

/** A model that the user has added. */
export interface OwnModel {
  readonly name: string;
  readonly bytes: number;
  /** Stored on the device; otherwise it lasts as long as the page. */
  readonly isStored: boolean;
  readonly from: HubOrigin | null;
  /** Progress of storing it; null otherwise. */
  readonly copying: FetchProgress | null;
  /** Why it could not be opened, stored or removed; for the user. */
  readonly problem: string | null;
}

type FolderOpening =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'done'; readonly names: readonly string[] }
  /** No folder has the layout of the hub. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly message: string };

interface FoldersState {
  readonly models: readonly OwnModel[];
  readonly opening: FolderOpening;
  /** Bytes; null where the browser does not report them. */
  readonly space: { readonly used: number; readonly allowed: number } | null;
  readonly lastUses: Readonly<Record<string, number>>;
  open(files: Promise<FileTree>): Promise<void>;
  save(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Lists the stored models. @returns them, with partial downloads */
  restore(): ReturnType<OwnModelsSource['storage']['list']>;
  take(name: string): Promise<void>;
}
type FoldersStore = StoreApi<FoldersState>;

/** A store without models. */
export function createFoldersStore(source: OwnModelsSource): FoldersStore {
  const { home, storage, downloads } = source;
  const store = createStore<FoldersState>((set, get) => ({
    models: [],
    opening: { kind: 'none' },
    space: null,
    lastUses: {},
    async open(files) {
      set({ opening: { kind: 'reading' } });
      try {
        set({ opening: await openAll(files) });
      } catch (error) {
        set({ opening: { kind: 'failed', message: messageOf(error) } });
      }
      await measure();
    },
    async save(name) {
      const held = heldOf.get(name);
      if (!held) return;
      put(name, { problem: null });
      await storage.persist();
      const onProgress = (copying: FetchProgress) => put(name, { copying });
      try {
        await storage.locks.request(storageLock(name), () => downloads.run('keep', { name, held }, { onProgress }));
        put(name, { isStored: true, copying: null });
      } catch (error) {
        put(name, { copying: null, problem: messageOf(error) });
      }
      await measure();
    },
    async remove(name) {
      try {
        await storage.locks.request(storageLock(name), () => storage.remove(name));
        home.removeModel(name);
        heldOf.delete(name);
        set(({ models }) => ({ models: models.filter((model) => model.name !== name) }));
      } catch (error) {
        put(name, { problem: messageOf(error) });
      }
      await measure();
    },
    async restore() {
      const stored = await storage.list();
      const known = new Set(get().models.map(({ name }) => name));
      for (const model of stored.complete) if (!known.has(model.name)) await openStored(model);
      await measure();
      return stored;
    },
    async take(name) {
      const model = (await storage.list()).complete.find((stored) => stored.name === name);
      if (model) await openStored(model);
      await measure();
    },
  }));
  const { heldOf, put, openAll, openStored } = createModelList(source, store);
  const measure = async () => store.setState({ space: await storage.space(), lastUses: home.lastUses() });
  return store;
}

/** Opens models and lists them in the store; `heldOf` has the files of those that are open, by name. */
function createModelList({ home, storage }: OwnModelsSource, store: FoldersStore) {
  const heldOf = new Map<string, HeldFiles>();
  const put = (name: string, changes: Partial<OwnModel>) =>
    store.setState(({ models }) => ({
      models: models.map((model) => (model.name === name ? { ...model, ...changes } : model)),
    }));
  const list = (name: string, bytes: number, stored: StoredModel | null) => {
    const model = { name, bytes, isStored: stored !== null, from: stored?.from ?? null, copying: null, problem: null };
    store.setState(({ models }) => ({ models: [...models.filter((other) => other.name !== name), model] }));
  };
  const add = async (name: string, held: HeldFiles) => {
    await home.addFolder({ name, held });
    heldOf.set(name, held);
  };
  /** @throws where a model is refused by name */
  const openAll = async (files: Promise<FileTree>): Promise<FolderOpening> => {
    const found = modelsIn(await files);
    for (const { name, held } of found) {
      await add(name, held);
      list(name, sumOf(Object.values(held).map(({ size }) => size)), null);
    }
    return found.length === 0 ? { kind: 'nothing' } : { kind: 'done', names: found.map(({ name }) => name) };
  };
  /** A stored model that cannot be opened is listed with the reason, so that it can be deleted. */
  const openStored = async (model: StoredModel) => {
    list(model.name, sumOf(Object.values(model.files)), model);
    try {
      await add(model.name, await storage.open(model));
    } catch (error) {
      put(model.name, { problem: messageOf(error) });
    }
  };
  return { heldOf, put, openAll, openStored };
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** Files by their paths; the parts of a path are joined by `/`. */
export type FileTree = ReadonlyMap<string, Blob>;

const MAX_FILES = 5000;

const MAX_DEPTH = 10;

/** Files of an input element, for a folder or for files. */
export function filesOfInput(files: readonly File[]): FileTree {
  return new Map(files.slice(0, MAX_FILES).map((file) => [file.webkitRelativePath || file.name, file]));
}

/**
 * Dropped files and folders.
 *
 * @param entries  read from the event while it was handled: they are not available afterwards
 * @throws {DOMException} where the browser refuses to read one
 */
export async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<FileTree> {
  const files = new Map<string, Blob>();
  const visit = async (entry: FileSystemEntry, parts: readonly string[]): Promise<void> => {
    const path = [...parts, entry.name];
    if (files.size >= MAX_FILES || path.length > MAX_DEPTH) return;
    if (entry.isFile) files.set(path.join('/'), await fileOf(entry as FileSystemFileEntry));
    else for (const inner of await entriesIn(entry as FileSystemDirectoryEntry)) await visit(inner, path);
  };
  for (const entry of entries) await visit(entry, []);
  return files;
}

/** The files of a picked folder. @throws {DOMException} where the browser refuses to read it */
export async function filesOfFolder(folder: FileSystemDirectoryHandle): Promise<FileTree> {
  const files = new Map<string, Blob>();
  const visit = async (handle: FileSystemDirectoryHandle, parts: readonly string[]): Promise<void> => {
    for await (const [name, inner] of handle.entries()) {
      const path = [...parts, name];
      if (files.size >= MAX_FILES || path.length > MAX_DEPTH) return;
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

/** A reader returns some of the entries at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** Name of a model whose files have no folder. */
const NAMELESS = 'model';

/** Every folder with a `config.json`, with the folders inside it. Files without a folder count as one model. */
export function modelsIn(files: FileTree): readonly { readonly name: string; readonly held: HeldFiles }[] {
  const paths = [...files.keys()].filter(isModelFile);
  const folders = paths
    .filter((path) => path === 'config.json' || path.endsWith('/config.json'))
    .map((path) => path.slice(0, -'config.json'.length))
    .toSorted((a, b) => a.length - b.length);
  const outermost = folders.filter((folder, at) => !folders.slice(0, at).some((outer) => folder.startsWith(outer)));
  return outermost.map((folder) => {
    const inside = paths.filter((path) => path.startsWith(folder));
    const held = Object.fromEntries(inside.map((path) => [path.slice(folder.length), files.get(path) as Blob]));
    return { name: folder.slice(0, -1) || NAMELESS, held: withGraphsInOnnx(held) };
  });
}

/** Graphs next to `config.json` are moved to `onnx`, where the hub has them. */
function withGraphsInOnnx(held: HeldFiles): HeldFiles {
  const paths = new Set(Object.keys(held));
  return Object.fromEntries(Object.entries(held).map(([path, file]) => [hubPath(path, paths), file]));
}
