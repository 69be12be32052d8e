import { createKeeping } from '../../../models/keeping/keeping.ts';
import { listKept, openKept, removeKept } from '../../../models/keeping/kept-models.ts';
import { createFetchesStore, type FetchesStore } from './fetches-store.ts';
import { createFoldersStore, type FoldersStore } from './folders-store.ts';
import { createHubStore, type HubStore } from './hub-store.ts';
import type { ModelHome, ModelShelf, OwnModelsSource } from './source.ts';

/** The models that somebody brought. */
export interface OwnModels {
  readonly folders: FoldersStore;
  readonly fetches: FetchesStore;
  readonly hub: HubStore;
}

/** Stores over a source. */
export function createOwnModels(source: OwnModelsSource): OwnModels {
  const folders = createFoldersStore(source);
  const fetches = createFetchesStore(source, folders);
  return { folders, fetches, hub: createHubStore(source, fetches) };
}

const made = new WeakMap<ModelHome, OwnModels>();

/** The one set of stores of the page: what is on its way goes on where the page is left. */
export function ownModelsOf(home: ModelHome): OwnModels {
  const known = made.get(home);
  if (known) return known;
  const stores = createOwnModels({ home, shelf: shelfHere(), keeping: createKeeping() });
  made.set(home, stores);
  return stores;
}

function shelfHere(): ModelShelf {
  const { storage, locks } = navigator;
  return {
    list: () => listKept(storage),
    open: (model) => openKept(model, storage),
    remove: (name) => removeKept(name, storage),
    async space() {
      const { usage, quota } = await storage.estimate().catch(() => ({ usage: undefined, quota: undefined }));
      return usage === undefined || quota === undefined ? null : { used: usage, allowed: quota };
    },
    persist: () => storage.persist().catch(() => false),
    locks,
  };
}
