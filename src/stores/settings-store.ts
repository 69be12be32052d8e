import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceSettings, SettingsChange } from '../contract/settings.ts';
import type { ToolUse } from '../client/page-tools.ts';
import { createLatest } from './latest-request.ts';
import { messageOf } from '../contract/failure.ts';
import type { EngineOffer } from '../contract/wire/engine.ts';

/** Stores and checks the settings. `set` throws an error whose message names the field. */
interface SettingsSource {
  get(): ServiceSettings;
  set(change: SettingsChange): ServiceSettings;
  subscribe(listener: (settings: ServiceSettings) => void): () => void;
}

interface TokenSource {
  current(): string;
  replace(): string;
}

/** Names of the models that each default can be; the first is used if none is chosen. */
export type ModelChoices = Readonly<Record<keyof ServiceSettings['defaultModels'], readonly string[]>>;

interface SettingsState {
  readonly settings: ServiceSettings;
  readonly token: string;
  readonly choices: ModelChoices;
  /** Names of all models, those of a server too. */
  readonly models: readonly string[];
  /** What agents of the browser did with the tools of the page; null: the browser has no agents that use tools. */
  readonly toolUse: ToolUse | null;
  /** @returns what is wrong with the change, and nothing changes; null if it was saved */
  change(change: SettingsChange): string | null;
  /** Makes a new token; the old one is refused from then on. */
  replaceToken(): void;
}

/** A store over the page's settings; changes by scripts show at once. */
export function createSettingsStore(options: {
  readonly settings: SettingsSource;
  readonly tokens: TokenSource;
  readonly choices: ModelChoices;
  readonly models: readonly string[];
}): StoreApi<SettingsState> {
  const { settings, tokens, choices, models } = options;
  const store = createStore<SettingsState>((set) => ({
    settings: settings.get(),
    token: tokens.current(),
    choices,
    models,
    toolUse: null,
    change(change) {
      try {
        settings.set(change);
        return null;
      } catch (error) {
        return messageOf(error);
      }
    },
    replaceToken: () => set({ token: tokens.replace() }),
  }));
  settings.subscribe((current) => store.setState({ settings: current }));
  return store;
}

/** The engine's address in a `model_version`; null where the model ran here. */
export function ranAt(modelVersion: string): string | null {
  const [, place] = / @ (\S+)$/.exec(modelVersion) ?? [];
  return place ?? null;
}

/** The result of checking one model of an engine. */
interface EngineCheck {
  readonly model: string;
  readonly isRight: boolean;
  /** The numbers of the check, or what is wrong. */
  readonly reason: string;
}

/** The page's access to an engine. */
interface EngineSource {
  /** The engine that the local server was started with; null without such a server. */
  offer(): Promise<EngineOffer | null>;
  /** Opens a local model's counterpart on the engine and runs the self-test over the wire. @throws {Error} with what differs */
  check(model: string): Promise<string>;
  /** Names of the models of the OpenAI-compatible server that settings name. @throws {Error} with why they cannot be listed */
  connectUpstream(): Promise<readonly string[]>;
}

/** What is known of a remote engine and of an OpenAI-compatible server. */
interface EngineLinkState {
  readonly offer: EngineOffer | null;
  readonly isChecking: boolean;
  /** Of the models that settings name, as far as they were checked. */
  readonly checks: readonly EngineCheck[];
  look(): Promise<void>;
  /** Checks every model that settings name. */
  connect(): Promise<void>;
  readonly upstreamModels: UpstreamModels;
  /** Lists the models of the OpenAI-compatible server that settings name. */
  connectUpstream(): Promise<void>;
}

/** The names that an OpenAI-compatible server lists, or why it does not; `none` before the first try and after another is chosen. */
type UpstreamModels =
  | { readonly kind: 'none' | 'listing' }
  | { readonly kind: 'listed'; readonly names: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

/** A store for a remote engine and an OpenAI-compatible server. It sends nothing before one of its actions is called. */
export function createEngineLinkStore(source: EngineSource, settings: SettingsSource): StoreApi<EngineLinkState> {
  const latest = createLatest();
  const store = createStore<EngineLinkState>((set, get) => ({
    offer: null,
    isChecking: false,
    checks: [],
    upstreamModels: { kind: 'none' },
    async connectUpstream() {
      const listing: UpstreamModels = { kind: 'listing' };
      set({ upstreamModels: listing });
      const upstreamModels = await listed(source);
      if (get().upstreamModels === listing) set({ upstreamModels }); // else it is of another address, or asked again
    },
    look: async () => set({ offer: await source.offer() }),
    async connect() {
      const checks: EngineCheck[] = [];
      set({ isChecking: true, checks: [] });
      const change = await latest.run({
        async request({ signal, onProgress }) {
          for (const model of Object.keys(settings.get().engine.models)) {
            checks.push(await checked(source, model));
            if (signal.aborted) break;
            onProgress();
          }
          return { isChecking: false };
        },
        onProgress: () => set({ checks: [...checks] }),
        onError(error) {
          throw error; // what differs is among the checks
        },
      });
      if (change) set(change);
    },
  }));
  const named = ({ engine: { address, models } }: ServiceSettings) => JSON.stringify({ address, models });
  whenChanged(settings, named, () => {
    latest.cancel(); // what is under way says nothing about these
    store.setState({ checks: [], isChecking: false });
  });
  const upstream = (current: ServiceSettings) => current.upstream.address;
  whenChanged(settings, upstream, () => store.setState({ upstreamModels: { kind: 'none' } }));
  return store;
}

/** Calls `onChange` after each change of what `part` takes from the settings. */
function whenChanged(
  settings: SettingsSource,
  part: (settings: ServiceSettings) => string | null,
  onChange: () => void,
): void {
  let last = part(settings.get());
  settings.subscribe((current) => {
    const now = part(current);
    if (now === last) return;
    last = now;
    onChange();
  });
}

function listed(source: EngineSource): Promise<UpstreamModels> {
  return source.connectUpstream().then(
    (names) => ({ kind: 'listed', names }),
    (error: unknown) => ({ kind: 'failed', message: messageOf(error) }),
  );
}

async function checked(source: EngineSource, model: string): Promise<EngineCheck> {
  try {
    return { model, isRight: true, reason: await source.check(model) };
  } catch (error) {
    return { model, isRight: false, reason: messageOf(error) };
  }
}
