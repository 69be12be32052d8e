import { type ApiStore, type ApiStoreOptions, createApiStore } from './api/api-store.ts';
import { createTransportsStore, type TransportsStore } from './api/transports-store.ts';
import { createDocumentsStore, type DocumentsStore, type DocumentsStoreOptions } from './documents/documents-store.ts';
import { createExplainStore, type ExplainStore, type ExplainStoreOptions } from './explain/explain-store.ts';
import { createSelectionStore, type SelectionStore } from './explain/selection-store.ts';
import { createInsideStore, type InsideStore } from './inside/inside-store.ts';
import type { InsideSource } from './inside/similarity.ts';
import { createLearnStore, type LearnStore } from './learn/learn-store.ts';
import type { LearnSource } from './learn/lessons/asked.ts';
import type { EmbeddingClient } from './meaning/embedding.ts';
import { createMeaningStore, type MeaningStore } from './meaning/meaning-store.ts';
import { createMemory, type Memory, type PageLife } from './storage/memory.ts';
import { createEngineStore, type EngineStore, type EngineStoreOptions } from './models/engine-store.ts';
import { createModelsStore, type ModelsStore, type ModelsStoreOptions } from './models/models-store.ts';
import { createLanguageStore, type LanguageStore, type WantedLanguages } from './page/language-store.ts';
import { createPageStore, type PageAddress, type PageStore } from './page/page-store.ts';
import { createThemeStore, type ThemeStore } from './page/theme-store.ts';
import { createOfflineStore, type OfflineStore } from './privacy/offline-store.ts';
import { createPrivacyStore, type PrivacyStore, type PrivacyStoreOptions } from './privacy/privacy-store.ts';
import { createEngineLinkStore, type EngineLinkOptions, type EngineLinkStore } from './settings/engine-store.ts';
import { createSettingsStore, type SettingsStore, type SettingsStoreOptions } from './settings/settings-store.ts';
import { createVariationsStore, type VariationsStore } from './variations/variations-store.ts';

/** Every store of the page, one per feature. */
export interface Stores {
  readonly api: ApiStore;
  readonly documents: DocumentsStore;
  readonly engine: EngineStore;
  readonly engineLink: EngineLinkStore;
  readonly explain: ExplainStore;
  readonly inside: InsideStore;
  readonly language: LanguageStore;
  readonly learn: LearnStore;
  readonly meaning: MeaningStore;
  readonly models: ModelsStore;
  readonly offline: OfflineStore;
  readonly page: PageStore;
  readonly privacy: PrivacyStore;
  readonly selection: SelectionStore;
  readonly settings: SettingsStore;
  readonly theme: ThemeStore;
  readonly transports: TransportsStore;
  readonly variations: VariationsStore;
}

/** What the stores need of the page. */
export interface StoresOptions
  extends
    Omit<DocumentsStoreOptions & ModelsStoreOptions, 'client'>,
    ExplainStoreOptions,
    ApiStoreOptions,
    EngineStoreOptions,
    EngineLinkOptions,
    PrivacyStoreOptions,
    SettingsStoreOptions {
  readonly client: ExplainStoreOptions['client'] &
    DocumentsStoreOptions['client'] &
    EmbeddingClient &
    InsideSource['client'] &
    LearnSource['client'] &
    ModelsStoreOptions['client'];
  readonly address: PageAddress & PageLife;
  readonly languages: WantedLanguages;
  /** Null where the browser forbids it. */
  readonly storage: Memory | null;
}

/** The stores, as the page was left. */
export function createStores(options: StoresOptions): Stores {
  const memory = createMemory(options.storage, options.address);
  return {
    api: createApiStore(options, memory),
    documents: createDocumentsStore(options),
    engine: createEngineStore(options),
    engineLink: createEngineLinkStore(options),
    explain: createExplainStore(options, memory),
    inside: createInsideStore(options, memory),
    language: createLanguageStore(memory, options.languages),
    learn: createLearnStore(options, memory),
    meaning: createMeaningStore(options.client, memory),
    models: createModelsStore(options),
    offline: createOfflineStore(),
    page: createPageStore(options.address),
    privacy: createPrivacyStore(options, memory.forget),
    selection: createSelectionStore(),
    settings: createSettingsStore(options),
    theme: createThemeStore(memory),
    transports: createTransportsStore(),
    variations: createVariationsStore(options),
  };
}
