import { createStore } from 'zustand/vanilla';
import type { Client } from '../client/client.ts';
import { createApiStore } from '../pages/api/api-store.ts';
import { createDocumentsStore } from '../pages/documents/documents-store.ts';
import { createExplainStore } from '../pages/explain/explain-store.ts';
import { factorAfter } from '../explanations/question.ts';
import { createSelectionStore } from '../explanations/selection-store.ts';
import { createInsideStore } from '../pages/inside/inside-store.ts';
import { createLearnStore } from '../pages/learn/learn-store.ts';
import { createEngineStore, createOfflineStore, createTransportsStore } from '../stores/status-stores.ts';
import { createModelsStore } from '../stores/models-store.ts';
import { createLanguageStore, createThemeStore } from '../stores/preference-stores.ts';
import { createPageStore } from '../stores/page-store.ts';
import { createPrivacyStore, type PrivacySource } from '../pages/privacy/privacy-store.ts';
import { createSettingsStore, createEngineLinkStore } from '../stores/settings-store.ts';
import { createBufferedStorage, type BufferedStorage } from '../stores/buffered-storage.ts';
import { createVariationsStore } from '../pages/explain/variations/variations-store.ts';

/** What the stores need from the page; the default model is read at each request, so that a change applies to the next one. */
type StoresOptions = Parameters<typeof createApiStore>[0] &
  Parameters<typeof createExplainStore>[0] &
  Parameters<typeof createModelsStore>[0] &
  Parameters<typeof createSettingsStore>[0] & {
    readonly client: Client;
    /** Where answers come from that a server does not give: the default model, or another one if a server has it. */
    readonly loadedSource: Parameters<typeof createLearnStore>[0];
    readonly address: Parameters<typeof createPageStore>[0] & Parameters<typeof createBufferedStorage>[1];
    readonly link?: Parameters<typeof createExplainStore>[2];
    /** The browser's languages, the best first. */
    readonly languages: readonly string[];
    /** Null where the browser forbids it. */
    readonly storage: BufferedStorage | null;
    /** Loads the default model again where that has failed. */
    readonly retryModel: () => void;
    readonly engineSource: Parameters<typeof createEngineLinkStore>[0];
    readonly privacy: PrivacySource;
  };

/** Every store of the page, one per feature. */
export type Stores = ReturnType<typeof createStores>;

/** The stores, as the page was left. */
export function createStores(options: StoresOptions) {
  const { client, settings } = options;
  const memory = createBufferedStorage(options.storage, options.address);
  const engine = createEngineStore(options.model, options.retryModel);
  const explain = createExplainStore(options, memory, options.link);
  const settingsStore = createSettingsStore(options);
  followModel(engine, settingsStore, explain);
  return {
    api: createApiStore(options, memory),
    documents: createDocumentsStore(client),
    engine,
    engineLink: createEngineLinkStore(options.engineSource, settings),
    explain,
    inside: createInsideStore(options.loadedSource, memory),
    language: createLanguageStore(memory, options.languages),
    learn: createLearnStore(options.loadedSource, memory),
    meaning: createStore(() => ({ client, memory })), // `meaningStoresOf` creates the page's stores from it
    models: createModelsStore(options),
    offline: createOfflineStore(),
    page: createPageStore(options.address),
    privacy: createPrivacyStore(options.privacy),
    selection: createSelectionStore(),
    settings: settingsStore,
    theme: createThemeStore(memory),
    transports: createTransportsStore(),
    variations: createVariationsStore(options.loadedSource, options),
  };
}

/** A question with the factor of its model gets that of the next model, or of a new calibration. */
function followModel(
  engine: ReturnType<typeof createEngineStore>,
  settings: ReturnType<typeof createSettingsStore>,
  explain: ReturnType<typeof createExplainStore>,
): void {
  const current = () => ({ model: engine.getState().model, calibrations: settings.getState().settings.calibrations });
  let before = current();
  const follow = () => {
    const { question, adjust } = explain.getState();
    const now = current();
    const factor = factorAfter(question.settings, before, now);
    before = now;
    if (factor !== question.settings.factor) adjust({ factor });
  };
  engine.subscribe(follow);
  settings.subscribe(follow);
}
