import { createStore, type StoreApi } from 'zustand/vanilla';
import { KeepingError } from '../../../models/keeping/keeping.ts';
import type { FetchProgress, KeepingProblem } from '../../../protocol/keeping/keeping-tasks.ts';
import { keepingLock } from '../../../models/keeping/kept-models.ts';
import type { FetchPlan } from '../../../protocol/keeping/kept-model.ts';
import { fetchExclusively } from './exclusive-fetch.ts';
import type { FoldersStore } from './folders-store.ts';
import { createFetchPace, type Pace } from './pace.ts';
import type { OwnModelsSource } from './source.ts';

/** A model on its way. */
export interface Fetch {
  readonly plan: FetchPlan;
  /** `elsewhere`: another tab fetches it. */
  readonly state: 'running' | 'paused' | 'elsewhere' | 'failed';
  readonly progress: FetchProgress;
  readonly pace: Pace | null;
  readonly problem: KeepingProblem | null;
}

/** The models on their way. */
export interface FetchesState {
  readonly fetches: readonly Fetch[];
  /** Fetches what is missing of a model. A token is kept in memory alone. */
  start(plan: FetchPlan, token: string | null): Promise<void>;
  /** What has come stays. */
  pause(name: string): void;
  /** Goes on with a model, with the token of before if the page still has it. */
  resume(name: string): Promise<void>;
  /** Ends it, and removes what has come. */
  cancel(name: string): Promise<void>;
  /** Lists what an earlier visit has begun. */
  restore(begun: readonly { readonly plan: FetchPlan; readonly done: number }[]): void;
}
export type FetchesStore = StoreApi<FetchesState>;

/** A store with nothing on its way. @param now  milliseconds */
export function createFetchesStore(
  source: OwnModelsSource,
  folders: FoldersStore,
  now: () => number = () => performance.now(),
): FetchesStore {
  const running = new Map<string, AbortController>();
  const tokens = new Map<string, string | null>();
  const store = createStore<FetchesState>((set, get) => ({
    fetches: [],
    async start(plan, token) {
      const { name } = plan;
      if (running.has(name)) return;
      const controller = new AbortController();
      running.set(name, controller);
      tokens.set(name, token);
      const { progress = notBegun(plan) } = find(name) ?? {};
      set(({ fetches }) => ({ fetches: [...without(fetches, name), { ...fresh(plan), progress }] }));
      const pace = createFetchPace(now);
      const { signal } = controller;
      const onProgress = (newer: FetchProgress) => put(name, { state: 'running', progress: newer, pace: pace(newer) });
      const onElsewhere = () => put(name, { state: 'elsewhere' });
      try {
        await fetchExclusively({ plan, token, done: progress.done, signal, onProgress, onElsewhere }, source);
        set(({ fetches }) => ({ fetches: without(fetches, name) }));
        await folders.getState().take(name);
      } catch (error) {
        if (signal.aborted) put(name, { state: 'paused', pace: null });
        else put(name, { state: 'failed', pace: null, problem: problemOf(error) });
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
      const isOurs = find(name)?.state !== 'elsewhere'; // another tab's is its own affair
      running.get(name)?.abort();
      if (isOurs) await removeBegun(name, source);
      tokens.delete(name);
      set(({ fetches }) => ({ fetches: without(fetches, name) }));
    },
    restore(begun) {
      const found = begun.filter(({ plan }) => find(plan.name) === undefined);
      const paused = found.map(({ plan, done }): Fetch => {
        return { ...fresh(plan), state: 'paused', progress: { ...notBegun(plan), done } };
      });
      set(({ fetches }) => ({ fetches: [...fetches, ...paused] }));
    },
  }));
  const find = (name: string) => store.getState().fetches.find(({ plan }) => plan.name === name);
  const put = (name: string, changes: Partial<Fetch>) =>
    store.setState(({ fetches }) => ({
      fetches: fetches.map((fetch) => (fetch.plan.name === name ? { ...fetch, ...changes } : fetch)),
    }));
  return store;
}

/** The lock is free once the worker has let go of the files. What was whole by then stays. */
async function removeBegun(name: string, { shelf }: OwnModelsSource): Promise<void> {
  await shelf.locks.request(keepingLock(name), async () => {
    const { kept } = await shelf.list();
    if (!kept.some((model) => model.name === name)) await shelf.remove(name);
  });
}

function without(fetches: readonly Fetch[], name: string): readonly Fetch[] {
  return fetches.filter(({ plan }) => plan.name !== name);
}

function fresh(plan: FetchPlan): Fetch {
  return { plan, state: 'running', progress: notBegun(plan), pace: null, problem: null };
}

function notBegun({ files }: FetchPlan): FetchProgress {
  const parts = files.map(({ path, bytes }) => ({ path, done: 0, total: bytes }));
  return { phase: 'fetching', done: 0, total: parts.reduce((sum, { total }) => sum + total, 0), files: parts };
}

function problemOf(error: unknown): KeepingProblem {
  if (error instanceof KeepingError) return error.problem;
  return { kind: 'other', detail: error instanceof Error ? error.message : String(error) };
}
