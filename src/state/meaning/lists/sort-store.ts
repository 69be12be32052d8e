import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../../analysis/analysis.ts';
import type { AnalysisTasks } from '../../../protocol/analysis-tasks.ts';
import { AT_REST, createAttempts, type WorkState } from '../attempt.ts';
import type { Collected, CollectionStore } from '../collection-store.ts';
import type { TextTable } from '../texts.ts';

/** What sorting by examples gave. */
export type Sorted = AnalysisTasks['classify']['output'] & {
  /** As they were when it was sorted. */
  readonly categories: readonly string[];
  /** The examples that it was learned from. */
  readonly given: SortState['examples'];
};

/** Categories, examples of each, and what they make of all texts. */
export interface SortState extends WorkState {
  readonly categories: readonly string[];
  /** Category of each example, by the text's place. */
  readonly examples: ReadonlyMap<number, string>;
  readonly sorted: Sorted | null;
  /** Before the last change, for undo. */
  readonly before: Pick<SortState, 'categories' | 'examples'> | null;
  add(category: string): void;
  remove(category: string): void;
  /** Makes a text an example of a category, or, with null, of none. */
  give(index: number, category: string | null): void;
  /** Takes categories and examples from a column of the table; empty cells are to be sorted. */
  takeColumn(name: string): void;
  undo(): void;
  sort(): Promise<void>;
}
export type SortStore = StoreApi<SortState>;

/** Categories at most: more than this is no sorting by a few examples. */
export const MOST_CATEGORIES = 30;

/** No categories. Other texts clear them; texts that come back bring theirs along. */
export function createSortStore(analysis: Analysis, collection: CollectionStore): SortStore {
  const known = new WeakMap<TextTable, Pick<SortState, 'categories' | 'examples'>>();
  const nothing = { categories: [], examples: new Map<number, string>(), sorted: null, before: null };
  const store = createStore<SortState>((set, get) => {
    const attempts = createAttempts(set);
    const change = (next: Partial<Pick<SortState, 'categories' | 'examples'>>) => {
      const { categories, examples } = get();
      set({ before: { categories, examples }, ...next });
    };
    return {
      ...AT_REST,
      ...nothing,
      add(category) {
        const { categories } = get();
        const isNew = category !== '' && !categories.includes(category) && categories.length < MOST_CATEGORIES;
        if (isNew) change({ categories: [...categories, category] });
      },
      remove(category) {
        const { categories, examples } = get();
        const others = [...examples].filter(([, own]) => own !== category);
        change({ categories: categories.filter((each) => each !== category), examples: new Map(others) });
      },
      give(index, category) {
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
        attempts.run(async (signal) => {
          const { examples } = get();
          const categories = usedCategories(get());
          const input = { examples: [...examples].map(([index, own]) => ({ index, label: categories.indexOf(own) })) };
          const sorted = await analysis.run('classify', { ...input, labels: categories.length }, { signal });
          set({ sorted: { ...sorted, categories, given: examples } });
        }),
    };
  });
  collection.subscribe(({ collected }, before) => {
    if (collected?.table === before.collected?.table) return;
    const { categories, examples } = store.getState();
    if (before.collected) known.set(before.collected.table, { categories, examples });
    store.setState({ ...AT_REST, ...nothing, ...(collected && known.get(collected.table)) });
  });
  return store;
}

/** The categories that have examples; sorting needs two. */
export function usedCategories({ categories, examples }: Pick<SortState, 'categories' | 'examples'>): string[] {
  const used = new Set(examples.values());
  return categories.filter((category) => used.has(category));
}

/** Columns with so few different values that they can be categories. */
export function categoryColumns({ table }: Collected): string[] {
  return Object.keys(table.columns).filter((name) => {
    const values = new Set(table.columns[name]?.map((value) => value.trim()).filter((value) => value !== ''));
    return values.size >= 2 && values.size <= MOST_CATEGORIES;
  });
}

function examplesIn({ table, count }: Collected, name: string) {
  const values = (table.columns[name] ?? []).slice(0, count).map((value) => value.trim());
  const examples = new Map([...values.entries()].filter(([, value]) => value !== ''));
  return { categories: [...new Set(examples.values())].slice(0, MOST_CATEGORIES), examples };
}
