import { createStore, type StoreApi } from 'zustand/vanilla';
import { type FileTree, modelsIn } from '../../../models/keeping/folders/models-in.ts';
import type { HeldFiles } from '../../../models/model.ts';
import type { FetchProgress } from '../../../protocol/keeping/keeping-tasks.ts';
import { bytesOfFiles, keepingLock } from '../../../models/keeping/kept-models.ts';
import type { HubOrigin, KeptModel } from '../../../protocol/keeping/kept-model.ts';
import type { OwnModelsSource } from './source.ts';

/** A model that somebody brought. */
export interface OwnModel {
  readonly name: string;
  readonly bytes: number;
  /** Kept on the device; else it goes with the page. */
  readonly isKept: boolean;
  readonly from: HubOrigin | null;
  /** While it is copied to the device. */
  readonly copying: FetchProgress | null;
  /** What went wrong with it; for people. */
  readonly problem: string | null;
}

/** What becomes of files that were dropped or picked. */
export type Opening =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'done'; readonly names: readonly string[] }
  /** No folder in the hub's layout is among them. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly message: string };

/** The models that somebody brought, and what the browser keeps of them. */
export interface FoldersState {
  readonly models: readonly OwnModel[];
  readonly opening: Opening;
  /** Null where the browser does not tell. */
  readonly space: { readonly used: number; readonly allowed: number } | null;
  readonly lastUses: Readonly<Record<string, number>>;
  /** Opens every model among files. */
  open(files: Promise<FileTree>): Promise<void>;
  /** Keeps a model that was opened. */
  keep(name: string): Promise<void>;
  /** Takes a model from the list, and from the device. */
  remove(name: string): Promise<void>;
  /** Lists what the browser keeps. @returns models that were not fetched to their end */
  restore(): ReturnType<OwnModelsSource['shelf']['list']>;
  /** Lists a model that has just been kept. */
  take(name: string): Promise<void>;
}
export type FoldersStore = StoreApi<FoldersState>;

/** A store without models. */
export function createFoldersStore(source: OwnModelsSource): FoldersStore {
  const { home, shelf, keeping } = source;
  const heldOf = new Map<string, HeldFiles>();
  const store = createStore<FoldersState>((set, get) => ({
    ...{ models: [], opening: { kind: 'none' }, space: null, lastUses: {} },
    async open(files) {
      set({ opening: { kind: 'reading' } });
      const opening = await openAll(files, within).catch((error: unknown) => ({
        kind: 'failed' as const,
        message: messageOf(error),
      }));
      set({ opening });
      await measure();
    },
    async keep(name) {
      const held = heldOf.get(name);
      if (!held) return;
      put(name, { problem: null });
      await shelf.persist();
      const onProgress = (copying: FetchProgress) => put(name, { copying });
      try {
        await shelf.locks.request(keepingLock(name), () => keeping.run('keep', { name, held }, { onProgress }));
        put(name, { isKept: true, copying: null });
      } catch (error) {
        put(name, { copying: null, problem: messageOf(error) });
      }
      await measure();
    },
    async remove(name) {
      try {
        await shelf.locks.request(keepingLock(name), () => shelf.remove(name));
        home.removeModel(name);
        heldOf.delete(name);
        set(({ models }) => ({ models: models.filter((model) => model.name !== name) }));
      } catch (error) {
        put(name, { problem: messageOf(error) });
      }
      await measure();
    },
    async restore() {
      const found = await shelf.list();
      const known = new Set(get().models.map(({ name }) => name));
      for (const model of found.kept) if (!known.has(model.name)) await openKept(model, within);
      await measure();
      return found;
    },
    async take(name) {
      const model = (await shelf.list()).kept.find((kept) => kept.name === name);
      if (model) await openKept(model, within);
      await measure();
    },
  }));
  const put = (name: string, changes: Partial<OwnModel>) => store.setState(changed(name, changes));
  const measure = async () => store.setState({ space: await shelf.space(), lastUses: home.lastUses() });
  const within = { source, heldOf, list: (model: OwnModel) => store.setState(listed(model)), put };
  return store;
}

/** What lists a model. */
interface Listing {
  readonly source: OwnModelsSource;
  /** Files of the models that are open, by their names. */
  readonly heldOf: Map<string, HeldFiles>;
  readonly list: (model: OwnModel) => void;
  readonly put: (name: string, changes: Partial<OwnModel>) => void;
}

/** Opens every model among files. @throws where one is refused by name */
async function openAll(files: Promise<FileTree>, { source, heldOf, list }: Listing): Promise<Opening> {
  const found = modelsIn(await files);
  for (const { name, held } of found) {
    await source.home.addFolder({ name, held });
    heldOf.set(name, held);
    const bytes = Object.values(held).reduce((sum, { size }) => sum + size, 0);
    list({ name, bytes, isKept: false, from: null, copying: null, problem: null });
  }
  return found.length === 0 ? { kind: 'nothing' } : { kind: 'done', names: found.map(({ name }) => name) };
}

/** A model that is kept but cannot be opened is listed with the reason, so that it can be deleted. */
async function openKept(model: KeptModel, { source, heldOf, list, put }: Listing): Promise<void> {
  const { name, from, files } = model;
  list({ name, from, bytes: bytesOfFiles(files), isKept: true, copying: null, problem: null });
  try {
    const held = await source.shelf.open(model);
    await source.home.addFolder({ name, held });
    heldOf.set(name, held);
  } catch (error) {
    put(name, { problem: messageOf(error) });
  }
}

/** A change of the list: the model in place of one of its name. */
function listed(model: OwnModel) {
  return ({ models }: FoldersState) => ({ models: [...models.filter(({ name }) => name !== model.name), model] });
}

function changed(name: string, changes: Partial<OwnModel>) {
  return ({ models }: FoldersState) => ({
    models: models.map((model) => (model.name === name ? { ...model, ...changes } : model)),
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
