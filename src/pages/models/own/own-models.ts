import { createStore, type StoreApi } from 'zustand/vanilla';
import { createDownloadsClient, type DownloadsClient } from '../../../downloads/downloads.ts';
import { createModelStorage } from '../../../downloads/stored-models.ts';
import type { DownloadProblem, HubAddress, HubFound } from '../../../protocol/download-tasks.ts';
import { createLatest } from '../../../stores/latest-request.ts';
import type { ModelRegistry } from '../../../stores/model-home.ts';
import { createModelDownloadsStore, downloadProblemOf, type ModelDownloadsStore } from './downloads-store.ts';
import { createFoldersStore, filesOfEntries, filesOfInput, type FoldersStore } from './folders-store.ts';

/** The stores of the models that the user adds. */
export interface OwnModels {
  readonly folders: FoldersStore;
  readonly fetches: ModelDownloadsStore;
  readonly hub: StoreApi<HubState>;
}

/** The stores, created at first use; they outlive the page, so that downloads continue when it is left. */
export function ownModelsOf(page: { readonly home: ModelRegistry; ownModels: OwnModels | null }): OwnModels {
  return (page.ownModels ??= createOwnModels(page.home));
}

function createOwnModels(home: ModelRegistry): OwnModels {
  const source = { home, storage: createModelStorage(), downloads: createDownloadsClient() };
  const folders = createFoldersStore(source);
  const fetches = createModelDownloadsStore(source, folders);
  return { folders, fetches, hub: createHubStore(source.downloads, fetches) };
}

/** Opens the models among dropped files and folders; the page shows the outcome. */
export async function openDroppedModels(
  files: readonly File[],
  { models }: { readonly models: { getState(): Parameters<typeof ownModelsOf>[0] } },
  entries: readonly FileSystemEntry[],
): Promise<null> {
  const { open } = ownModelsOf(models.getState()).folders.getState();
  await open(entries.length > 0 ? filesOfEntries(entries) : Promise.resolve(filesOfInput(files)));
  return null;
}

/** The answer of a hub. */
type HubAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'found'; readonly found: HubFound }
  | { readonly kind: 'failed'; readonly problem: DownloadProblem };

/** The model to look up in a hub. */
interface HubState {
  readonly wanted: Omit<HubAddress, 'hub'>;
  readonly answer: HubAnswer;
  /** Changes the model to look up, and clears the answer. */
  setWanted(changes: Partial<HubState['wanted']>): void;
  lookUp(hub: string): Promise<void>;
  /** Downloads the model of the answer, whose size and licence were shown. */
  startDownload(): void;
}

function createHubStore(downloads: DownloadsClient, fetches: ModelDownloadsStore): StoreApi<HubState> {
  const latest = createLatest();
  return createStore<HubState>((set, get) => ({
    wanted: { id: '', revision: 'main', subfolder: '', dtype: null, token: null },
    answer: { kind: 'none' },
    setWanted(changes) {
      latest.cancel();
      set(({ wanted }) => ({ wanted: { ...wanted, ...changes }, answer: { kind: 'none' } }));
    },
    async lookUp(hub) {
      set({ answer: { kind: 'asking' } });
      const answer = await latest.run<HubAnswer>({
        request: async ({ signal }) => ({
          kind: 'found',
          found: await downloads.run('look', { ...get().wanted, hub }, { signal }),
        }),
        onError: (error) => ({ kind: 'failed', problem: downloadProblemOf(error) }),
      });
      if (answer) set({ answer });
    },
    startDownload() {
      const { answer, wanted } = get();
      if (answer.kind !== 'found') return;
      void fetches.getState().start(answer.found.plan, wanted.token);
      set({ answer: { kind: 'none' } });
    },
  }));
}
