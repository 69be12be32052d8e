import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceSettings, SettingsChange } from '../../contract/settings.ts';

/** Where settings are kept and checked. `set` throws an error whose message names the field. */
export interface SettingsSource {
  get(): ServiceSettings;
  set(change: SettingsChange): ServiceSettings;
  subscribe(listener: (settings: ServiceSettings) => void): () => void;
}

/** The page's bearer token. */
export interface TokenSource {
  current(): string;
  replace(): string;
}

/** Names of the models that each default can be; the first is used if none is chosen. */
export type ModelChoices = Readonly<Record<keyof ServiceSettings['defaultModels'], readonly string[]>>;

/** The settings page. */
export interface SettingsState {
  readonly settings: ServiceSettings;
  readonly token: string;
  readonly choices: ModelChoices;
  /** All local models. */
  readonly models: readonly string[];
  /** @returns what is wrong with the change, and nothing changes; null if it was saved */
  change(change: SettingsChange): string | null;
  /** Makes a new token; whoever has the old one is refused from then on. */
  replaceToken(): void;
}
export type SettingsStore = StoreApi<SettingsState>;

/** See `createSettingsStore`. */
export interface SettingsStoreOptions {
  readonly settings: SettingsSource;
  readonly tokens: TokenSource;
  readonly choices: ModelChoices;
  readonly models: readonly string[];
}

/** A store over the page's settings; changes by scripts show at once. */
export function createSettingsStore({ settings, tokens, choices, models }: SettingsStoreOptions): SettingsStore {
  const store = createStore<SettingsState>((set) => ({
    settings: settings.get(),
    token: tokens.current(),
    choices,
    models,
    change(change) {
      try {
        settings.set(change);
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    replaceToken: () => set({ token: tokens.replace() }),
  }));
  settings.subscribe((current) => store.setState({ settings: current }));
  return store;
}
