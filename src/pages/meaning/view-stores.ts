import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnalysisClient } from './analysis-client.ts';
import { type Collected, type CollectionStore, onReplaced, type TextTable } from './collection-store.ts';
import type { AnalysisProgress, AnalysisTasks, Cluster, DuplicateGroup } from '../../protocol/analysis-tasks.ts';
import { messageOf } from '../../contract/failure.ts';
import { createLatest } from '../../stores/latest-request.ts';

/** The stores of map, duplicates, similarities and sorting; all are cleared when the texts are replaced. */
export function createViewStores(analysis: AnalysisClient, collection: CollectionStore) {
  return {
    map: createMapStore(analysis, collection),
    duplicates: createDuplicatesStore(analysis, collection),
    matrix: createMatrixStore(analysis, collection),
    sort: createSortStore(analysis, collection),
  };
}

interface DuplicatesState extends WorkState {
  /** Least cosine of texts that count as nearly the same; that of the groups unless others are searched. */
  readonly least: number;
  /** Null before a search. */
  readonly groups: readonly DuplicateGroup[] | null;
  readonly compared: number;
  /** Progress of the comparison, 0 to 1; null while it is unknown. */
  readonly share: number | null;
  find(least: number): Promise<void>;
  cancel(): void;
}

/** Texts that differ in a word or two; chosen on the examples and on repeated questions of SQuAD. */
const DEFAULT_LEAST = 0.9;

function createDuplicatesStore(analysis: AnalysisClient, collection: CollectionStore): StoreApi<DuplicatesState> {
  const store = createStore<DuplicatesState>((set) => {
    let found = DEFAULT_LEAST; // the least cosine of the groups
    const work = createWork(collection, (state) => set({ ...state, ...(!state.isRunning && { least: found }) }));
    return {
      ...NOT_RUNNING,
      least: DEFAULT_LEAST,
      groups: null,
      compared: 0,
      share: null,
      find(least) {
        set({ least, share: null });
        return work.run(async (signal) => {
          const compared = collection.getState().collected?.count ?? 0;
          const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) =>
            set({ share: done / total });
          const { groups } = await analysis.run('duplicates', { least }, { signal, onProgress });
          found = least;
          set({ groups, compared });
        });
      },
      cancel: work.cancel,
    };
  });
  onReplaced(collection, () => store.setState({ groups: null, compared: 0 }));
  return store;
}

/** Most texts of a matrix: more do not fit on a screen. */
export const MAX_COMPARED = 50;

interface MatrixState extends WorkState {
  /** Of the compared texts, in the collection. */
  readonly indices: readonly number[];
  /** `[indices, indices]`, −1 to 1; null before a comparison. */
  readonly cosines: Float32Array | null;
  /** Compares the first of these texts, at most `MAX_COMPARED`. */
  compare(indices: readonly number[]): Promise<void>;
}

function createMatrixStore(analysis: AnalysisClient, collection: CollectionStore): StoreApi<MatrixState> {
  const store = createStore<MatrixState>((set) => {
    const work = createWork(collection, set);
    return {
      ...NOT_RUNNING,
      indices: [],
      cosines: null,
      compare: (all) =>
        work.run(async (signal) => {
          const indices = all.slice(0, MAX_COMPARED);
          set({ indices, ...(await analysis.run('similarities', { indices }, { signal })) });
        }),
    };
  });
  onReplaced(collection, () => store.setState({ indices: [], cosines: null }));
  return store;
}

interface SortExamples {
  readonly categories: readonly string[];
  /** Category of each example, by the index of the text. */
  readonly examples: ReadonlyMap<number, string>;
}

/** Categories, their examples, and the sorted texts. */
export interface SortState extends WorkState, SortExamples {
  /** Null before sorting; `categories` and `examples` are those that were used. */
  readonly sorted: (AnalysisTasks['classify']['output'] & SortExamples) | null;
  /** Before the last change, for undo. */
  readonly before: SortExamples | null;
  add(category: string): void;
  remove(category: string): void;
  /** Makes a text an example of a category; null: of none. */
  assign(index: number, category: string | null): void;
  /** Takes categories and examples from a column of the table; texts with empty cells are not examples. */
  takeColumn(name: string): void;
  undo(): void;
  sort(): Promise<void>;
}

/** More categories than this cannot be sorted by a few examples. */
const MAX_CATEGORIES = 30;

/** No categories. Texts that come back by undo get their categories back. */
function createSortStore(analysis: AnalysisClient, collection: CollectionStore): StoreApi<SortState> {
  const known = new WeakMap<TextTable, SortExamples>();
  const nothing = { categories: [], examples: new Map<number, string>(), sorted: null, before: null };
  const store = createStore<SortState>((set, get) => {
    const work = createWork(collection, set);
    const change = (next: Partial<SortExamples>) => {
      const { categories, examples } = get();
      set({ before: { categories, examples }, ...next });
    };
    return {
      ...NOT_RUNNING,
      ...nothing,
      add(category) {
        const { categories } = get();
        const isNew = category !== '' && !categories.includes(category) && categories.length < MAX_CATEGORIES;
        if (isNew) change({ categories: [...categories, category] });
      },
      remove(category) {
        const { categories, examples } = get();
        change({
          categories: categories.filter((other) => other !== category),
          examples: new Map([...examples].filter(([, other]) => other !== category)),
        });
      },
      assign(index, category) {
        const examples = new Map(get().examples);
        if (category === null) examples.delete(index);
        else examples.set(index, category);
        change({ examples });
      },
      takeColumn(name) {
        const { collected } = collection.getState();
        if (collected) change(examplesIn(collected, name));
      },
      undo() {
        const { before } = get();
        if (before) set({ ...before, before: null });
      },
      sort: () =>
        work.run(async (signal) => {
          const { examples } = get();
          const categories = usedCategories(get());
          const input = {
            examples: [...examples].map(([index, category]) => ({ index, label: categories.indexOf(category) })),
            labels: categories.length,
          };
          set({ sorted: { ...(await analysis.run('classify', input, { signal })), categories, examples } });
        }),
    };
  });
  onReplaced(collection, (collected, old) => {
    const { categories, examples } = store.getState();
    if (old) known.set(old.table, { categories, examples });
    store.setState({ ...nothing, ...(collected && known.get(collected.table)) });
  });
  return store;
}

/** The categories that have examples; sorting needs two. */
export function usedCategories({ categories, examples }: SortExamples): string[] {
  const used = new Set(examples.values());
  return categories.filter((category) => used.has(category));
}

/** Columns with few enough different values to be categories. */
export function categoryColumns({ table }: Collected): string[] {
  return Object.keys(table.columns).filter((name) => {
    const values = new Set(table.columns[name]?.map((value) => value.trim()).filter((value) => value !== ''));
    return values.size >= 2 && values.size <= MAX_CATEGORIES;
  });
}

function examplesIn({ table, count }: Collected, name: string): SortExamples {
  const values = (table.columns[name] ?? []).slice(0, count).map((value) => value.trim());
  const examples = new Map([...values.entries()].filter(([, value]) => value !== ''));
  return { categories: [...new Set(examples.values())].slice(0, MAX_CATEGORIES), examples };
}

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
  /** Draws and groups the texts that have vectors, unless that is done or under way. Shows principal components first. */
  draw(): Promise<void>;
  by(method: Method): Promise<void>;
  group(count: number | null): Promise<void>;
  colour(column: string | null): void;
  /** Leaves the map as far as it is drawn. */
  cancel(): void;
}

const NOTHING = { drawn: null, groups: null, progress: null, problem: null, colouring: null } as const;

function createMapStore(analysis: AnalysisClient, collection: CollectionStore): StoreApi<MapState> {
  const store = createStore<MapState>((set, get) => {
    const work = createWork(collection, ({ isRunning, problem }) => set({ progress: isRunning ? 0 : null, problem }));
    let last: DrawnMap | null = null; // that was not interrupted
    let grouped: number | null | undefined; // the number of groups that these are
    let begun = 0; // texts when it began
    const texts = () => collection.getState().collected?.count ?? 0;
    const hasPoints = () => get().drawn?.points.length === 2 * texts();
    const isDrawn = () => hasPoints() && get().drawn === last && last?.method === get().method;
    const isGrouped = () => get().groups?.labels.length === texts() && grouped === get().count;
    const project = async (method: Method, signal: AbortSignal) => {
      const onProgress = ({ done, total, part }: AnalysisProgress<'project'>) => {
        if (signal.aborted) return; // the worker reads the cancel after its next step
        set({ progress: done / total, ...(part && { drawn: { method, points: part, explained: null } }) });
      };
      last = { method, ...(await analysis.run('project', { method }, { signal, onProgress })) };
      set({ drawn: last });
    };
    /** What is missing, as after a change while it was computed. */
    const complete = async (signal: AbortSignal) => {
      begun = texts();
      if (!hasPoints()) await project('pca', signal);
      const { count } = get();
      if (!isGrouped()) set({ groups: await analysis.run('cluster', { count }, { signal }) });
      grouped = count;
      if (!isDrawn()) await project(get().method, signal);
    };
    const update = () => {
      if (texts() > 0 && !(isDrawn() && isGrouped())) return work.run(complete);
      work.cancel();
      return Promise.resolve();
    };
    return {
      ...NOTHING,
      method: 'umap',
      count: null,
      draw: () => (get().progress === null || begun !== texts() ? update() : Promise.resolve()),
      by(method) {
        set({ method });
        return update();
      },
      group(count) {
        set({ count });
        return update();
      },
      colour: (colouring) => set({ colouring }),
      cancel() {
        last = get().drawn; // as far as it was wanted
        work.cancel();
      },
    };
  });
  onReplaced(collection, () => store.setState({ ...NOTHING, count: null }));
  return store;
}

interface WorkState {
  readonly isRunning: boolean;
  /** Message of the last failure; null: none. */
  readonly problem: string | null;
}

const NOT_RUNNING: WorkState = { isRunning: false, problem: null };

/** Runs work on the texts, of which only the latest counts and none once they are replaced; `show` puts its state into a store. */
function createWork(collection: CollectionStore, show: (state: WorkState) => void) {
  const latest = createLatest();
  const cancel = () => {
    latest.cancel();
    show(NOT_RUNNING);
  };
  onReplaced(collection, cancel);
  return {
    cancel,
    async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
      show({ isRunning: true, problem: null });
      const state = await latest.run({
        request: ({ signal }) => work(signal).then(() => NOT_RUNNING),
        onError: (error) => ({ isRunning: false, problem: messageOf(error) }),
      });
      if (state) show(state);
    },
  };
}
