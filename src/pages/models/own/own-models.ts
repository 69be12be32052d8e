import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  createDownloadsClient,
  createModelStorage,
  DownloadFailure,
  type DownloadsClient,
  storageLock,
} from '../../../downloads/downloads.ts';
import type {
  DownloadProblem,
  FetchPlan,
  FetchProgress,
  HubAddress,
  HubFound,
} from '../../../protocol/download-tasks.ts';
import { messageOf } from '../../../contract/failure.ts';
import { createLatest } from '../../../stores/latest-request.ts';
import type { ModelRegistry, OwnModelsSource } from '../../../stores/model-home.ts';
import { createFoldersStore, filesOfEntries, filesOfInput } from './folders-store.ts';

/** The stores of the models that the user adds. */
export interface OwnModels {
  readonly folders: ReturnType<typeof createFoldersStore>;
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

type HubAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'found'; readonly found: HubFound }
  | { readonly kind: 'failed'; readonly problem: DownloadProblem };

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

/** The download of a model. */
export interface ModelDownload {
  readonly plan: FetchPlan;
  /** `elsewhere`: another tab downloads it. */
  readonly state: 'running' | 'paused' | 'elsewhere' | 'failed';
  readonly progress: FetchProgress;
  readonly rate: DownloadRate | null;
  readonly problem: DownloadProblem | null;
}

interface ModelDownloadsState {
  readonly fetches: readonly ModelDownload[];
  /** Downloads the missing parts of a model. The token is kept in memory only. */
  start(plan: FetchPlan, token: string | null): Promise<void>;
  /** Stops; downloaded parts stay. */
  pause(name: string): void;
  /** Continues, with the same token if it is still in memory. */
  resume(name: string): Promise<void>;
  /** Stops, and removes the downloaded parts. */
  cancel(name: string): Promise<void>;
  /** Lists the unfinished downloads of an earlier visit as paused. */
  restore(partial: readonly { readonly plan: FetchPlan; readonly done: number }[]): void;
}
type ModelDownloadsStore = StoreApi<ModelDownloadsState>;

/** A store without downloads. @param now  milliseconds */
export function createModelDownloadsStore(
  source: OwnModelsSource,
  folders: ReturnType<typeof createFoldersStore>,
  now: () => number = () => performance.now(),
): ModelDownloadsStore {
  const running = new Map<string, AbortController>();
  const tokens = new Map<string, string | null>();
  const store = createStore<ModelDownloadsState>((set, get) => ({
    fetches: [],
    async start(plan, token) {
      const { name } = plan;
      if (running.has(name)) return;
      const controller = new AbortController();
      running.set(name, controller);
      tokens.set(name, token);
      const { progress = noProgress(plan) } = find(name) ?? {};
      set(({ fetches }) => ({ fetches: [...without(fetches, name), downloadOf(plan, 'running', progress)] }));
      const rate = createDownloadRate(now);
      const { signal } = controller;
      const onProgress = (newer: FetchProgress) => put(name, { state: 'running', progress: newer, rate: rate(newer) });
      const onElsewhere = () => put(name, { state: 'elsewhere' });
      try {
        await fetchExclusively({ plan, token, done: progress.done, signal, onProgress, onElsewhere }, source);
        set(({ fetches }) => ({ fetches: without(fetches, name) }));
        await folders.getState().take(name);
      } catch (error) {
        if (signal.aborted) put(name, { state: 'paused', rate: null });
        else put(name, { state: 'failed', rate: null, problem: downloadProblemOf(error) });
      } finally {
        running.delete(name);
      }
    },
    pause: (name) => running.get(name)?.abort(),
    async resume(name) {
      const fetch = find(name);
      if (fetch) await get().start(fetch.plan, tokens.get(name) ?? null);
    },
    async cancel(name) {
      const isOurs = find(name)?.state !== 'elsewhere'; // another tab removes its own
      running.get(name)?.abort();
      if (isOurs) await removePartial(name, source);
      tokens.delete(name);
      set(({ fetches }) => ({ fetches: without(fetches, name) }));
    },
    restore(partial) {
      const paused = partial
        .filter(({ plan }) => find(plan.name) === undefined)
        .map(({ plan, done }) => downloadOf(plan, 'paused', { ...noProgress(plan), done }));
      set(({ fetches }) => ({ fetches: [...fetches, ...paused] }));
    },
  }));
  const find = (name: string) => store.getState().fetches.find(({ plan }) => plan.name === name);
  const put = (name: string, changes: Partial<ModelDownload>) =>
    store.setState(({ fetches }) => ({
      fetches: fetches.map((fetch) => (fetch.plan.name === name ? { ...fetch, ...changes } : fetch)),
    }));
  return store;
}

/** Waits for the lock, until the worker has closed the files. A model that is complete by then stays. */
async function removePartial(name: string, { storage }: OwnModelsSource): Promise<void> {
  await storage.locks.request(storageLock(name), async () => {
    const { complete } = await storage.list();
    if (!complete.some((model) => model.name === name)) await storage.remove(name);
  });
}

function without(fetches: readonly ModelDownload[], name: string): readonly ModelDownload[] {
  return fetches.filter(({ plan }) => plan.name !== name);
}

function downloadOf(plan: FetchPlan, state: ModelDownload['state'], progress: FetchProgress): ModelDownload {
  return { plan, state, progress, rate: null, problem: null };
}

function noProgress(plan: FetchPlan): FetchProgress {
  const files = plan.files.map(({ path, bytes }) => ({ path, done: 0, total: bytes }));
  return { phase: 'fetching', done: 0, total: bytesOf(plan), files };
}

function bytesOf({ files }: FetchPlan): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function downloadProblemOf(error: unknown): DownloadProblem {
  return error instanceof DownloadFailure ? error.problem : { kind: 'other', detail: messageOf(error) };
}

interface ExclusiveFetch {
  readonly plan: FetchPlan;
  readonly token: string | null;
  /** Bytes that are already stored. */
  readonly done: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FetchProgress) => void;
  /** Called before it waits for the download of another tab. */
  readonly onElsewhere: () => void;
}

/** Bytes that must be free besides the files: notes of the worker, and the browser's own. */
const MARGIN_BYTES = 5e6;

/**
 * Downloads a model in one tab at a time. If another tab downloads it, waits for the lock, and downloads what is then missing.
 *
 * @throws {DownloadFailure} `space`, before the download; and as the task `fetch`
 * @throws {DOMException} AbortError
 */
export async function fetchExclusively(fetch: ExclusiveFetch, { storage, downloads }: OwnModelsSource): Promise<void> {
  const { plan, token, signal, onProgress } = fetch;
  const lock = storageLock(plan.name);
  const run = async () => {
    const { complete } = await storage.list();
    if (complete.some(({ name, from }) => name === plan.name && from?.commit === plan.from.commit)) return;
    await requireSpace(fetch, storage);
    await storage.persist();
    await downloads.run('fetch', { plan, token }, { signal, onProgress });
  };
  const isDone = await storage.locks.request(lock, { ifAvailable: true }, async (held) => {
    if (held !== null) await run();
    return held !== null;
  });
  if (isDone) return;
  fetch.onElsewhere();
  await storage.locks.request(lock, { signal }, run);
}

async function requireSpace({ plan, done }: ExclusiveFetch, storage: OwnModelsSource['storage']): Promise<void> {
  const space = await storage.space();
  const needed = bytesOf(plan) - done + MARGIN_BYTES;
  const free = space === null ? Infinity : Math.max(0, space.allowed - space.used);
  if (needed > free)
    throw new DownloadFailure({ kind: 'space', detail: `${plan.name}: expected ${needed} bytes of room, got ${free}` });
}

interface DownloadRate {
  readonly bytesPerSecond: number;
  /** Null while nothing is received. */
  readonly secondsLeft: number | null;
}

/** The window of the rate: long enough to be stable, short enough to follow a change. */
const WINDOW_MS = 5_000;

/** The rate over the last seconds; null until there are two samples. @param now  milliseconds */
export function createDownloadRate(
  now: () => number,
): (progress: { readonly done: number; readonly total: number }) => DownloadRate | null {
  const samples: { readonly at: number; readonly done: number }[] = [];
  return ({ done, total }) => {
    const at = now();
    samples.push({ at, done });
    while (samples.length > 2 && at - (samples[0]?.at ?? at) > WINDOW_MS) samples.shift();
    const first = samples[0];
    if (!first || at <= first.at) return null;
    const bytesPerSecond = (1000 * (done - first.done)) / (at - first.at);
    return { bytesPerSecond, secondsLeft: bytesPerSecond > 0 ? (total - done) / bytesPerSecond : null };
  };
}
