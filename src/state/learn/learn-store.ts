import { persist } from 'zustand/middleware';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asIs, createFieldStorage } from '../storage/field-storage.ts';
import type { Memory } from '../storage/memory.ts';
import type { PreparedSet } from './class/prepared-set.ts';
import type { LearnSource } from './lessons/asked.ts';

/** The Learn page. Its live examples are stores of their own, which load with it. */
export interface LearnState {
  readonly source: LearnSource;
  /** The set of the link that was followed last; as stored, of unknown origin, until the page reads it. */
  readonly prepared: unknown;
  /** The link that was followed last holds no set. */
  readonly isLinkUnreadable: boolean;
  /** The set that is being put together for a link; kept while the page is open. */
  readonly draft: PreparedSet;
  /** Opens the set of a link; settles when it is read. */
  open(hash: string): Promise<void>;
  change(draft: Partial<PreparedSet>): void;
}
export type LearnStore = StoreApi<LearnState>;

type Kept = Pick<LearnState, 'prepared'>;

/** A store over the service's answers, with the set that was opened last. */
export function createLearnStore(source: LearnSource, memory: Memory): LearnStore {
  return createStore<LearnState>()(
    persist(
      (set): LearnState => ({
        source,
        prepared: null,
        isLinkUnreadable: false,
        draft: { title: '', examples: [], own: [] },
        async open(hash) {
          const { setInHash } = await import('./class/prepared-set.ts');
          const prepared = setInHash(hash);
          set(prepared ? { prepared, isLinkUnreadable: false } : { isLinkUnreadable: true });
        },
        change: (part) => set(({ draft }) => ({ draft: { ...draft, ...part } })),
      }),
      {
        name: 'lightwell.learn',
        storage: createFieldStorage<Kept>(memory, { prepared: asIs }),
        partialize: ({ prepared }) => ({ prepared }),
        merge: (kept, current) => ({ ...current, prepared: preparedIn(kept) }),
      },
    ),
  );
}

function preparedIn(kept: unknown): unknown {
  return typeof kept === 'object' && kept !== null && 'prepared' in kept ? kept.prepared : null;
}
