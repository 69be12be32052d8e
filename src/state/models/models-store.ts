import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ModelCard } from './model-card.ts';
import type { ModelHome } from './own/source.ts';
import type { WritingSource } from './writing.ts';

/** What the page shows about a model. */
export interface ModelFacts {
  readonly name: string;
  /** Name and version, as results name the model that made them. */
  readonly version: string;
  readonly description: string;
  readonly contextTokens: number;
  readonly readsImages: boolean;
  /** Whether it continues texts. */
  readonly writes: boolean;
  /** How it is run. */
  readonly tier: 'steered' | 'as_exported' | 'refused';
  /** Why it is not steered; null where it is. */
  readonly reason: string | null;
  /** SHA-256 of its files by path; null where nothing vouches for them. */
  readonly hashes: Readonly<Record<string, string>> | null;
  /** Its card, or the address of it; null where its folder has none. */
  readonly card: string | Blob | null;
}

/** A card, loading or loaded. */
export type CardState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly card: ModelCard }
  | { readonly kind: 'failed'; readonly message: string };

/** The models of the app and the cards that were asked for. */
export interface ModelsState {
  readonly models: readonly ModelFacts[];
  readonly cards: Readonly<Record<string, CardState>>;
  /** Where models are listed that somebody brings; their stores load with the page. */
  readonly home: ModelHome;
  /** Lets models write that are tried. */
  readonly client: WritingSource['client'];
  /** Fetches a model's card, unless it is loaded or loading; an unknown name does nothing. */
  open(name: string): Promise<void>;
  /** Shows these models from now on. */
  list(models: readonly ModelFacts[]): void;
}
export type ModelsStore = StoreApi<ModelsState>;

/** See `createModelsStore`. */
export interface ModelsStoreOptions {
  readonly modelFacts: readonly ModelFacts[];
  readonly home: ModelHome;
  readonly client: WritingSource['client'];
  /** The text of a file of this site. */
  readonly readText: (url: string) => Promise<string>;
}

/** A store that knows all models and no card yet. */
export function createModelsStore({ modelFacts, home, client, readText }: ModelsStoreOptions): ModelsStore {
  return createStore<ModelsState>((set, get) => {
    const put = (name: string, card: CardState) => set(({ cards }) => ({ cards: { ...cards, [name]: card } }));
    return {
      models: modelFacts,
      home,
      client,
      cards: {},
      list(models) {
        const names = new Set(models.map(({ name }) => name));
        const cards = Object.entries(get().cards).filter(([name]) => names.has(name)); // one of a removed model may be another's
        set({ models, cards: Object.fromEntries(cards) });
      },
      async open(name) {
        const known = get().models.find((model) => model.name === name);
        const kind = get().cards[name]?.kind;
        if (!known || kind === 'loading' || kind === 'ready') return;
        if (known.card === null) return put(name, { kind: 'ready', card: { facts: [], text: '' } });
        put(name, { kind: 'loading' });
        try {
          const { splitCard } = await import('./model-card.ts');
          const text = await (typeof known.card === 'string' ? readText(known.card) : known.card.text());
          put(name, { kind: 'ready', card: splitCard(text) });
        } catch (error) {
          put(name, { kind: 'failed', message: error instanceof Error ? error.message : String(error) });
        }
      },
    };
  });
}
