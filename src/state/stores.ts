import { createEngineStore, type EngineStore } from './engine-store.ts';
import { createExplainStore, type ExplainStore, type ExplainStoreOptions } from './explain-store.ts';
import { createSelectionStore, type SelectionStore } from './selection-store.ts';
import { createThemeStore, type ThemeStore } from './theme-store.ts';

/** Every store of the page, one per feature. */
export interface Stores {
  readonly engine: EngineStore;
  readonly explain: ExplainStore;
  readonly selection: SelectionStore;
  readonly theme: ThemeStore;
}

/** The stores, as the page was left. */
export function createStores(options: ExplainStoreOptions): Stores {
  return {
    engine: createEngineStore(options.model),
    explain: createExplainStore(options),
    selection: createSelectionStore(),
    theme: createThemeStore(options.storage),
  };
}
