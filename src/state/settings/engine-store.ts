import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceSettings } from '../../contract/settings.ts';
import type { EngineOffer } from '../../contract/wire/engine.ts';
import type { SettingsSource } from './settings-store.ts';

/** What came of checking one model of an engine. */
export interface EngineCheck {
  readonly model: string;
  readonly isRight: boolean;
  /** The numbers that it was checked by, or what is wrong. */
  readonly reason: string;
}

/** What the page can do with an engine. */
export interface EngineSource {
  /** What the local server was started with; null where there is no such server. */
  offer(): Promise<EngineOffer | null>;
  /** Opens a local model's counterpart on the engine and runs the self-test over the wire. @throws {Error} with what differs */
  check(model: string): Promise<string>;
}

/** The settings of a remote engine. */
export interface EngineLinkState {
  readonly offer: EngineOffer | null;
  readonly isChecking: boolean;
  /** Of the models that settings name, as far as they were checked since. */
  readonly checks: readonly EngineCheck[];
  /** Asks the local server what it was started with. */
  look(): Promise<void>;
  /** Checks every model that settings name. */
  connect(): Promise<void>;
}
export type EngineLinkStore = StoreApi<EngineLinkState>;

/** See `createEngineLinkStore`. */
export interface EngineLinkOptions {
  readonly engineSource: EngineSource;
  readonly settings: SettingsSource;
}

/** A store for the way to an engine. Nothing is asked for before somebody looks. */
export function createEngineLinkStore({ engineSource, settings }: EngineLinkOptions): EngineLinkStore {
  let run = 0;
  const store = createStore<EngineLinkState>((set) => ({
    offer: null,
    isChecking: false,
    checks: [],
    look: async () => set({ offer: await engineSource.offer() }),
    async connect() {
      const own = ++run;
      set({ isChecking: true, checks: [] });
      for (const model of Object.keys(settings.get().engine.models)) {
        const check = await checked(engineSource, model);
        if (own !== run) return;
        set(({ checks }) => ({ checks: [...checks, check] }));
      }
      set({ isChecking: false });
    },
  }));
  const named = ({ engine: { address, models } }: ServiceSettings) => JSON.stringify({ address, models });
  let last = named(settings.get());
  settings.subscribe((current) => {
    const now = named(current);
    if (now === last) return;
    last = now;
    run++; // what is under way says nothing about these
    store.setState({ checks: [], isChecking: false });
  });
  return store;
}

async function checked(source: EngineSource, model: string): Promise<EngineCheck> {
  try {
    return { model, isRight: true, reason: await source.check(model) };
  } catch (error) {
    return { model, isRight: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
