import { ownValue } from '../contract/records.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../client/client.ts';
import { messageOf } from '../contract/failure.ts';
import type { splitCard } from './model-card.ts';
import type { OwnModels } from '../pages/models/own/own-models.ts';
import type { ModelRegistry } from './model-home.ts';
import type { writingStoreOf } from './writing.ts';
import { isCapable } from '../models/default-model.ts';
import type { Model, Weights } from '../models/model.ts';

/** The facts that the page shows about a model. */
export interface ModelFacts {
  readonly name: string;
  /** Name and version, as results name the model that made them. */
  readonly version: string;
  readonly description: string;
  readonly contextTokens: number;
  readonly readsImages: boolean;
  readonly writes: boolean;
  readonly tier: 'steered' | 'as_exported' | 'refused';
  /** Why its graph is not rewritten; null where it is. */
  readonly reason: string | null;
  /** Address of the server that has it; null: it is loaded into the page. */
  readonly upstream: string | null;
  /** SHA-256 of its files by path; null if they are unknown. */
  readonly hashes: Readonly<Record<string, string>> | null;
  /** Those of the model; null where they are not known. */
  readonly weights: Weights | null;
  /** As `Model.folder`: shared by the kinds of weights of a model. */
  readonly folder: string;
  /** As `Model.state`; 0 where that is left out. */
  readonly state: number;
  /** Its card, or the address of it; null where its folder has none. */
  readonly card: string | Blob | null;
}

/** A card, loading or loaded. */
export type CardState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly card: ReturnType<typeof splitCard> }
  | { readonly kind: 'failed'; readonly message: string };

interface ModelsState {
  readonly models: readonly ModelFacts[];
  readonly cards: Readonly<Record<string, CardState>>;
  /** Lists models that the user adds. */
  readonly home: ModelRegistry;
  /** For trying models, and what servers answer. */
  readonly client: Pick<Client, 'complete' | 'explain'>;
  /** The stores of models that the user adds; null until `ownModelsOf` creates them. */
  ownModels: OwnModels | null;
  /** What tried models have written, by model; `writingStoreOf` adds to it. */
  readonly writings: Map<string, ReturnType<typeof writingStoreOf>>;
  /** Fetches a model's card, unless it is loaded or loading; an unknown name does nothing. */
  open(name: string): Promise<void>;
  list(models: readonly ModelFacts[]): void;
}

/** A store that knows all models and no card yet. @param options  `readText` fetches a file of this site */
export function createModelsStore(options: {
  readonly modelFacts: readonly ModelFacts[];
  readonly home: ModelRegistry;
  readonly client: Pick<Client, 'complete' | 'explain'>;
  readonly readText: (url: string) => Promise<string>;
}): StoreApi<ModelsState> {
  const { modelFacts, home, client, readText } = options;
  return createStore<ModelsState>((set, get) => {
    const put = (name: string, card: CardState) => set(({ cards }) => ({ cards: { ...cards, [name]: card } }));
    return {
      models: modelFacts,
      home,
      client,
      ownModels: null,
      writings: new Map(),
      cards: {},
      list(models) {
        const names = new Set(models.map(({ name }) => name));
        const cards = Object.entries(get().cards).filter(([name]) => names.has(name)); // one of a removed model may be another's
        set({ models, cards: Object.fromEntries(cards) });
      },
      async open(name) {
        const known = get().models.find((model) => model.name === name);
        const kind = ownValue(get().cards, name)?.kind;
        if (!known || kind === 'loading' || kind === 'ready') return;
        if (known.card === null) return put(name, { kind: 'ready', card: { facts: [], text: '' } });
        put(name, { kind: 'loading' });
        try {
          const { splitCard } = await import('./model-card.ts');
          const text = await (typeof known.card === 'string' ? readText(known.card) : known.card.text());
          put(name, { kind: 'ready', card: splitCard(text) });
        } catch (error) {
          put(name, { kind: 'failed', message: messageOf(error) });
        }
      },
    };
  });
}

/** The facts of a model of the catalogue; `card` is null if its folder has no README.md. */
export function factsOf(model: Model): ModelFacts {
  const { name, version, description, contextTokens, capabilities, folder } = model;
  const { tier = 'steered', reason = null, files = {}, held, weights = null } = model;
  const mayHaveCard = model.tier === undefined || Object.hasOwn(files, 'README.md'); // found models list all their files
  const card = held?.['README.md'] ?? (mayHaveCard ? new URL('README.md', folder).href : null);
  return {
    name,
    version,
    description,
    contextTokens,
    readsImages: capabilities.includes('images'),
    writes: isCapable(model, 'complete'),
    tier,
    reason,
    upstream: model.upstream ?? null,
    hashes: hashesOf(files),
    weights,
    folder,
    state: model.state ?? 0,
    card,
  };
}

function hashesOf(files: NonNullable<Model['files']>): ModelFacts['hashes'] {
  const known = Object.entries(files).flatMap(([path, { sha256 }]) => (sha256 === undefined ? [] : [[path, sha256]]));
  return known.length > 0 && known.length === Object.keys(files).length ? Object.fromEntries(known) : null;
}
