import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ModelCard } from './model-card.ts';

/** What the page shows about a model. */
export interface ModelFacts {
  readonly name: string;
  /** Name and version, as results name the model that made them. */
  readonly version: string;
  readonly description: string;
  readonly contextTokens: number;
  readonly readsImages: boolean;
  /** Address of its card. */
  readonly card: string;
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
  /** Fetches a model's card, unless it is loaded or loading; an unknown name does nothing. */
  open(name: string): Promise<void>;
}
export type ModelsStore = StoreApi<ModelsState>;

/** See `createModelsStore`. */
export interface ModelsStoreOptions {
  readonly modelFacts: readonly ModelFacts[];
  /** The text of a file of this site. */
  readonly readText: (url: string) => Promise<string>;
}

/** A store that knows all models and no card yet. */
export function createModelsStore({ modelFacts, readText }: ModelsStoreOptions): ModelsStore {
  return createStore<ModelsState>((set, get) => {
    const put = (name: string, card: CardState) => set(({ cards }) => ({ cards: { ...cards, [name]: card } }));
    return {
      models: modelFacts,
      cards: {},
      async open(name) {
        const known = modelFacts.find((model) => model.name === name);
        const kind = get().cards[name]?.kind;
        if (!known || kind === 'loading' || kind === 'ready') return;
        put(name, { kind: 'loading' });
        try {
          const { splitCard } = await import('./model-card.ts');
          put(name, { kind: 'ready', card: splitCard(await readText(known.card)) });
        } catch (error) {
          put(name, { kind: 'failed', message: error instanceof Error ? error.message : String(error) });
        }
      },
    };
  });
}
