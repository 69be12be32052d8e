import { createContext, use } from 'react';
import { useStore } from 'zustand/react';
import type { EngineState } from '../state/engine-store.ts';
import type { ExplainState } from '../state/explain-store.ts';
import type { SelectionState } from '../state/selection-store.ts';
import type { Stores } from '../state/stores.ts';
import type { ThemeState } from '../state/theme-store.ts';

/** Set once, by `App`. */
export const StoresContext = createContext<Stores | null>(null);

/** Every store, for actions; use the hooks below to follow a value. */
export function useStores(): Stores {
  const stores = use(StoresContext);
  if (!stores) throw new Error('expected to be rendered inside App, got no stores');
  return stores;
}

/** Follows a value of the explain page. */
export function useExplain<Value>(selector: (state: ExplainState) => Value): Value {
  return useStore(useStores().explain, selector);
}

/** Follows what is picked out. */
export function useSelection<Value>(selector: (state: SelectionState) => Value): Value {
  return useStore(useStores().selection, selector);
}

/** Follows the model's state. */
export function useEngine<Value>(selector: (state: EngineState) => Value): Value {
  return useStore(useStores().engine, selector);
}

/** Follows the theme. */
export function useTheme<Value>(selector: (state: ThemeState) => Value): Value {
  return useStore(useStores().theme, selector);
}
