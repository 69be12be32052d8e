import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../../analysis/analysis.ts';
import type { Cluster } from '../../../protocol/analysis-tasks.ts';
import { createAttempts } from '../attempt.ts';
import type { CollectionStore } from '../collection-store.ts';

/** How texts get their places. */
export type Method = 'pca' | 'umap';

/** A map: a place and a group for each text. */
export interface DrawnMap {
  readonly method: Method;
  /** `[texts, 2]`, −1 to 1. */
  readonly points: Float32Array;
  /** Share of all differences that the plane shows; null where that cannot be told. */
  readonly explained: number | null;
}

/** Groups of texts. */
export interface Groups {
  /** `[texts]` */
  readonly labels: Int32Array;
  readonly clusters: readonly Cluster[];
}

/** The map of the texts that are read. */
export interface MapState {
  readonly method: Method;
  readonly drawn: DrawnMap | null;
  readonly groups: Groups | null;
  /** How many groups were asked for; null: as many as separate best. */
  readonly count: number | null;
  /** How far the next map has come, 0 to 1; null while none is computed. */
  readonly progress: number | null;
  readonly problem: string | null;
  /** What colours the points: null for the groups, else the name of a column. */
  readonly colouring: string | null;
  /** Draws the texts that are read now, unless it is done. Shows principal components first, whatever was asked for. */
  draw(): Promise<void>;
  by(method: Method): Promise<void>;
  group(count: number | null): Promise<void>;
  colour(column: string | null): void;
  cancel(): void;
}
export type MapStore = StoreApi<MapState>;

const NOTHING = { drawn: null, groups: null, progress: null, problem: null, colouring: null } as const;

/** A map that was not drawn yet. Other texts clear it. */
export function createMapStore(analysis: Analysis, collection: CollectionStore): MapStore {
  const store = createStore<MapState>((set, get) => {
    const attempts = createAttempts(({ isRunning, problem }) => set({ progress: isRunning ? 0 : null, problem }));
    const project = async (method: Method, signal: AbortSignal) => {
      const { points, explained } = await analysis.run(
        'project',
        { method },
        {
          signal,
          onProgress({ done, total, part }) {
            set({ progress: done / total, ...(part && { drawn: { method, points: part, explained: null } }) });
          },
        },
      );
      set({ drawn: { method, points, explained } });
    };
    const groupInto = async (count: number | null, signal: AbortSignal) =>
      set({ groups: await analysis.run('cluster', { count }, { signal }) });
    return {
      ...NOTHING,
      method: 'umap',
      count: null,
      draw() {
        const { drawn, method, count } = get();
        const texts = collection.getState().collected?.count ?? 0;
        if (texts === 0 || (drawn?.points.length === 2 * texts && drawn.method === method)) return Promise.resolve();
        return attempts.run(async (signal) => {
          await project('pca', signal);
          await groupInto(count, signal);
          if (method === 'umap') await project('umap', signal);
        });
      },
      by(method) {
        set({ method });
        return attempts.run((signal) => project(method, signal));
      },
      group(count) {
        set({ count });
        return attempts.run((signal) => groupInto(count, signal));
      },
      colour: (colouring) => set({ colouring }),
      cancel: attempts.cancel,
    };
  });
  collection.subscribe(({ collected }, before) => {
    if (collected?.table === before.collected?.table) return;
    store.getState().cancel();
    store.setState({ ...NOTHING, count: null });
  });
  return store;
}
