import { createContext, use } from 'react';
import { useStore } from 'zustand/react';
import type { ApiState } from '../state/api/api-store.ts';
import type { TransportsState } from '../state/api/transports-store.ts';
import type { ExplainState } from '../state/explain/explain-store.ts';
import type { SelectionState } from '../state/explain/selection-store.ts';
import type { EngineState } from '../state/models/engine-store.ts';
import type { ModelsState } from '../state/models/models-store.ts';
import type { PageState } from '../state/page/page-store.ts';
import type { ThemeState } from '../state/page/theme-store.ts';
import type { SettingsState } from '../state/settings/settings-store.ts';
import type { Stores } from '../state/stores.ts';

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

/** Follows the models and their cards. */
export function useModels<Value>(selector: (state: ModelsState) => Value): Value {
  return useStore(useStores().models, selector);
}

/** Whether the model that explains reads pictures. */
export function useReadsImages(): boolean {
  const model = useEngine((state) => state.model);
  return useModels(({ models }) => models.some(({ name, readsImages }) => name === model && readsImages));
}

/** Follows which page is shown. */
export function usePage<Value>(selector: (state: PageState) => Value): Value {
  return useStore(useStores().page, selector);
}

/** Follows the settings page. */
export function useSettings<Value>(selector: (state: SettingsState) => Value): Value {
  return useStore(useStores().settings, selector);
}

/** Follows the theme. */
export function useTheme<Value>(selector: (state: ThemeState) => Value): Value {
  return useStore(useStores().theme, selector);
}

/** Follows a value of the API page. */
export function useApi<Value>(selector: (state: ApiState) => Value): Value {
  return useStore(useStores().api, selector);
}

/** Follows the ways in from outside the page. */
export function useTransports<Value>(selector: (state: TransportsState) => Value): Value {
  return useStore(useStores().transports, selector);
}
