import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AnalysisClient, createWork } from '../analysis-client.ts';
import { type CollectionStore, onReplaced } from '../collection-store.ts';
import type { AnalysisProgress, Cluster } from '../../../protocol/analysis-tasks.ts';

type Method = 'pca' | 'umap';

/** The points of a map. */
export interface DrawnMap {
  readonly method: Method;
  /** `[texts, 2]`, −1 to 1. */
  readonly points: Float32Array;
  /** Share of the variance that the map shows; null if it is unknown. */
  readonly explained: number | null;
}

/** Groups of texts. */
export interface Groups {
  /** `[texts]` */
  readonly labels: Int32Array;
  readonly clusters: readonly Cluster[];
}

/** The map of the collected texts. */
interface MapState {
  readonly method: Method;
  readonly drawn: DrawnMap | null;
  readonly groups: Groups | null;
  /** Number of groups; null: the number that separates best. */
  readonly count: number | null;
  /** Progress of the next map, 0 to 1; null while none is computed. */
  readonly progress: number | null;
  readonly problem: string | null;
  /** Name of the column that colours the points; null: the groups. */
  readonly colouring: string | null;
  /** Draws the texts that have vectors, unless they are drawn already. Shows principal components first. */
  draw(): Promise<void>;
  by(method: Method): Promise<void>;
  group(count: number | null): Promise<void>;
  colour(column: string | null): void;
  cancel(): void;
}

const NOTHING = { drawn: null, groups: null, progress: null, problem: null, colouring: null } as const;

/** An empty map; it is cleared when the texts are replaced. */
export function createMapStore(analysis: AnalysisClient, collection: CollectionStore): StoreApi<MapState> {
  const store = createStore<MapState>((set, get) => {
    const work = createWork(({ isRunning, problem }) => set({ progress: isRunning ? 0 : null, problem }));
    const project = async (method: Method, signal: AbortSignal) => {
      const onProgress = ({ done, total, part }: AnalysisProgress<'project'>) =>
        set({ progress: done / total, ...(part && { drawn: { method, points: part, explained: null } }) });
      const drawn = await analysis.run('project', { method }, { signal, onProgress });
      set({ drawn: { method, ...drawn } });
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
        return work.run(async (signal) => {
          await project('pca', signal);
          await groupInto(count, signal);
          if (method === 'umap') await project('umap', signal);
        });
      },
      by(method) {
        set({ method });
        return work.run((signal) => project(method, signal));
      },
      group(count) {
        set({ count });
        return work.run((signal) => groupInto(count, signal));
      },
      colour: (colouring) => set({ colouring }),
      cancel: work.cancel,
    };
  });
  onReplaced(collection, () => {
    store.getState().cancel();
    store.setState({ ...NOTHING, count: null });
  });
  return store;
}
