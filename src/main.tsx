import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './client/client.ts';
import { createRawCall } from './client/raw-call.ts';
import { FailureError } from './contract/failure.ts';
import { createCatalogue, embeddedModels, type Catalogue } from './models/catalogue.ts';
import type { BackendKind, PrepareJob } from './protocol/jobs.ts';
import { ableModels, defaultModel, type Operation } from './models/default-model.ts';
import { createLightwell } from './service/lightwell.ts';
import type { Router } from './router/router.ts';
import type { Setting } from './router/setting.ts';
import type { SettingsKeeper } from './service/settings-keeper.ts';
import { createTokenKeeper } from './service/token.ts';
import { createScheduler, type Scheduler } from './scheduler/scheduler.ts';
import { submitTo } from './scheduler/lanes.ts';
import { spawnDocumentsLane, spawnInferenceLane } from './scheduler/spawn.ts';
import type { Model } from './models/model.ts';
import type { EngineStore } from './state/models/engine-store.ts';
import type { ModelFacts } from './state/models/models-store.ts';
import { openSharedQuestions, takeSharedQuestion } from './state/explain/share-link.ts';
import type { SettingsStoreOptions } from './state/settings/settings-store.ts';
import { createStores, type Stores } from './state/stores.ts';
import { App } from './ui/app.tsx';

/** Reading a file cannot be interrupted; its worker is ended instead, and is soon started again. */
const DOCUMENTS_GRACE_MS = 100;

/** Puts the rooms together: scheduler, router, client, state, page. */
async function start(root: HTMLElement): Promise<void> {
  const backend = askedBackend();
  const catalogue = createCatalogue(embeddedModels(document.baseURI));
  const storage = storageOrNull();
  const settings = await keptSettings(storage, catalogue);
  const explaining = () => defaultModel('explain', catalogue, settings.get()) ?? catalogue.preferred;
  const scheduler = createScheduler({ spawn: spawnInferenceLane, maxWaiting: () => settings.get().maxWaiting });
  const tokens = createTokenKeeper(storage);
  const token = tokens.current;
  const documents = createScheduler({ spawn: spawnDocumentsLane, graceMs: DOCUMENTS_GRACE_MS });
  const submit = submitTo({ inference: scheduler.submit, documents: documents.submit });
  const setting = { submit, catalogue, token, settings: settings.get, ...(backend && { backend }) };
  const router = lazyRouter(setting);
  const connection = { fetch: router.fetch, baseUrl: location.origin, token };
  const [client, call] = [createClient(connection), createRawCall(connection)];
  const shared = takeSharedQuestion(window);
  const stores = createStores({
    ...{ client, call, token, storage, shared, settings, tokens, address: window },
    ...modelChoices(catalogue),
    ...{ modelFacts: catalogue.models.map(factsOf), readText },
    get model() {
      return explaining().name;
    },
  });
  openSharedQuestions(window, (question) => stores.explain.getState().open(question));
  const prepareDefault = () => prepare({ model: explaining(), ...(backend && { backend }) }, scheduler, stores.engine);
  const ready = prepareDefault();
  globalThis.lightwell = createLightwell(router, { origin: location.origin, token, ready, settings });
  settings.subscribe(() => {
    if (stores.engine.getState().model !== explaining().name) void shown(prepareDefault());
  });
  void shown(ready);
  void openDoors(router, stores, settings);
  createRoot(root).render(
    <StrictMode>
      <App stores={stores} />
    </StrictMode>,
  );
}

/** Checking settings takes the validator, which the router brings anyway. */
async function keptSettings(storage: Storage | null, catalogue: Catalogue): Promise<SettingsKeeper> {
  const { createSettingsKeeper } = await import('./service/settings-keeper.ts');
  return createSettingsKeeper(storage, catalogue);
}

/** Names of models, and of those that each default can be. */
function modelChoices(catalogue: Catalogue): Pick<SettingsStoreOptions, 'models' | 'choices'> {
  const able = (operation: Operation) => ableModels(operation, catalogue).map(({ name }) => name);
  const choices = { explain: able('explain'), semantic_embed: able('semantic_embed'), qa: able('qa') };
  return { models: catalogue.models.map(({ name }) => name), choices };
}

function factsOf({ name, description, contextTokens, capabilities, folder }: Model): ModelFacts {
  const readsImages = capabilities.includes('images');
  return { name, description, contextTokens, readsImages, card: new URL('README.md', folder).href };
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

/** The page shows the failure; who awaits `ready` gets it too. Nobody awaiting it is no error of its own. */
function shown(ready: Promise<void>): Promise<void> {
  return ready.catch(() => undefined);
}

/** Lets requests in from outside the page, as soon as the page itself stands. */
async function openDoors(router: Router, { transports }: Stores, settings: SettingsKeeper): Promise<void> {
  const { openWaysIn } = await import('./bridge/ways-in.ts');
  const { setBridge: onBridge, setServiceWorker: onServiceWorker } = transports.getState();
  const facts = () => {
    const { allowedOrigins, timeoutMs } = settings.get();
    return { allowedOrigins, timeoutMs };
  };
  const doors = openWaysIn({ router, origin: location.origin, facts, onBridge, onServiceWorker });
  settings.subscribe(doors.refresh);
}

/** The router's validation is a third of the page's script and needed with the first request only. */
function lazyRouter(setting: Setting): Router {
  const router = import('./router/router.ts').then(({ createRouter }) => createRouter(setting));
  return { fetch: async (request) => (await router).fetch(request) };
}

/** Loads the default model at once, so that it is there when it is first asked. */
async function prepare(wanted: PrepareJob, { submit }: Scheduler, engine: EngineStore): Promise<void> {
  const { opening, loading, ready, failed } = engine.getState();
  opening(wanted.model.name);
  const result = await submit('prepare', wanted, { onProgress: loading });
  if (result.ok) return ready(result.value);
  failed(result.failure);
  throw new FailureError(result.failure.code, result.failure.message);
}

/** `?backend=wasm` or `?backend=webgpu` overrides the measured choice of device. */
function askedBackend(): BackendKind | null {
  const asked = new URLSearchParams(location.search).get('backend');
  return asked === 'wasm' || asked === 'webgpu' ? asked : null;
}

/** Storage may be forbidden; the page then forgets, and works. */
function storageOrNull(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

const root = document.getElementById('root');
if (!root) throw new Error('expected an element #root in the page');
await start(root);
