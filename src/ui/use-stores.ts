import { createContext, use } from 'react';
import { useStore } from 'zustand/react';
import type { Stores } from '../state/stores.ts';

/** Set once, by `App`. */
export const StoresContext = createContext<Stores | null>(null);

/** Every store, for actions; `useStoreValue` follows a value. */
export function useStores(): Stores {
  const stores = use(StoresContext);
  if (!stores) throw new Error('expected to be rendered inside App, got no stores');
  return stores;
}

type StateOf<Store> = Store extends { getState: () => infer State } ? State : never;

/** Follows a value of a store: the component renders again when `selector` returns another one. */
export function useStoreValue<Name extends keyof Stores, Value>(
  name: Name,
  selector: (state: StateOf<Stores[Name]>) => Value,
): Value {
  return useStore(useStores()[name], selector);
}

/** Whether the model of the explain page reads pictures. */
export function useReadsImages(): boolean {
  const model = useStoreValue('engine', (state) => state.model);
  return useStoreValue('models', ({ models }) => models.some(({ name, readsImages }) => name === model && readsImages));
}
