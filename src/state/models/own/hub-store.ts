import { createStore, type StoreApi } from 'zustand/vanilla';
import { memoryOf, weightBytes } from '../../../models/memory.ts';
import { KeepingError } from '../../../models/keeping/keeping.ts';
import type { HubAddress, HubFound, KeepingProblem } from '../../../protocol/keeping/keeping-tasks.ts';
import type { FetchesStore } from './fetches-store.ts';
import type { OwnModelsSource } from './source.ts';

/** What came of asking a hub. */
export type Asked =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'found'; readonly found: HubFound }
  | { readonly kind: 'failed'; readonly problem: KeepingProblem };

/** What somebody asks a hub for. */
export interface HubState {
  readonly wanted: Omit<HubAddress, 'hub'>;
  readonly asked: Asked;
  /** Changes what is wanted; what was found before is no answer any more. */
  want(changes: Partial<HubState['wanted']>): void;
  ask(hub: string): Promise<void>;
  /** Fetches what was found: size and licence were shown. */
  agree(): void;
}
export type HubStore = StoreApi<HubState>;

/** A store in which nothing is wanted yet. */
export function createHubStore({ keeping }: Pick<OwnModelsSource, 'keeping'>, fetches: FetchesStore): HubStore {
  let asking = new AbortController();
  return createStore<HubState>((set, get) => ({
    wanted: { id: '', revision: 'main', subfolder: '', dtype: null, token: null },
    asked: { kind: 'none' },
    want(changes) {
      asking.abort();
      set(({ wanted }) => ({ wanted: { ...wanted, ...changes }, asked: { kind: 'none' } }));
    },
    async ask(hub) {
      asking.abort();
      const { signal } = (asking = new AbortController());
      set({ asked: { kind: 'asking' } });
      try {
        const found = await keeping.run('look', { ...get().wanted, hub }, { signal });
        set({ asked: { kind: 'found', found } });
      } catch (error) {
        if (signal.aborted) return;
        const detail = error instanceof Error ? error.message : String(error);
        const problem = error instanceof KeepingError ? error.problem : { kind: 'other' as const, detail };
        set({ asked: { kind: 'failed', problem } });
      }
    },
    agree() {
      const { asked, wanted } = get();
      if (asked.kind !== 'found') return;
      void fetches.getState().start(asked.found.plan, wanted.token);
      set({ asked: { kind: 'none' } });
    },
  }));
}

/** Memory that a model needs while it is in use, in bytes, about. */
export function memoryOfPlan({ plan, dtype }: HubFound): number {
  const files = Object.fromEntries(plan.files.map(({ path, bytes }) => [path, bytes]));
  return memoryOf(weightBytes(files, dtype));
}
