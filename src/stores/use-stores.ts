import { createContext, use } from 'react';
import { useStore } from 'zustand/react';
import type { ModelFacts } from './models-store.ts';
import type { Stores } from '../app/create-stores.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { ServiceSettings } from '../contract/settings.ts';

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

/** Follows a value of a store that is made for a part of a page. */
export function useValueOf<State, Value>(
  store: Pick<StoreApi<State>, 'getState' | 'getInitialState' | 'subscribe'>,
  selector: (state: State) => Value,
): Value {
  return useStore(store, selector);
}

/** The engine that may run some models of this page; null: none. */
export function useEngineInUse() {
  const settings = useStoreValue('settings', (state) => state.settings);
  return engineInUse(settings);
}

/** An engine that may run some models of this page. */
interface EngineInUse {
  readonly address: string;
  /** Host and port, for short texts. */
  readonly host: string;
  /** Names of the local models that it may run. */
  readonly models: readonly string[];
}

/** The engine to which entered texts may be sent; null: none. */
function engineInUse({ engine }: Pick<ServiceSettings, 'engine'>): EngineInUse | null {
  const { address, models, whenHostingIsNull } = engine;
  const names = Object.keys(models);
  if (address === null || !whenHostingIsNull || names.length === 0) return null;
  return { address, host: new URL(address).host, models: names };
}

/**
 * Where what is entered for some models is sent: an engine, a server that has models of its own, or both, as one for texts; null:
 * nothing that is entered leaves the device.
 */
export function useMachinesInUse(): ReturnType<typeof engineInUse> {
  const engine = useEngineInUse();
  const models = useStoreValue('models', (state) => state.models);
  const there = models.filter(({ upstream }) => upstream !== null);
  const address = there[0]?.upstream;
  if (typeof address !== 'string') return engine;
  const own = { address, host: new URL(address).host, models: there.map(({ name }) => name) };
  const joined = (field: 'address' | 'host') => (engine ? `${engine[field]}, ${own[field]}` : own[field]);
  return { address: joined('address'), host: joined('host'), models: [...(engine?.models ?? []), ...own.models] };
}

/** The model of the explain page; undefined while its name is that of none. */
export function useModelFacts(): ModelFacts | undefined {
  const model = useStoreValue('engine', (state) => state.model);
  return useStoreValue('models', ({ models }) => models.find(({ name }) => name === model));
}
