import { createRawCall } from './client/raw-call.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadToIsolate } from './bridge/isolation.ts';
import type { Transports } from './bridge/transports.ts';
import { createClient } from './client/client.ts';
import type { ModelContext } from './client/page-tools.ts';
import './service/lightwell.ts';
import type { Catalogue } from './models/catalogue.ts';
import type { Model } from './models/model.ts';
import { capableModels, defaultModel, type ModelUse } from './models/default-model.ts';
import type { BackendKind } from './protocol/model-job.ts';
import { listRequests } from './protocol/page/privacy-facts.ts';
import { ENGINE_PATH, type EngineOffer, LOCAL_MODELS_ANNOUNCEMENT, LOCAL_MODELS_PATH } from './contract/wire/engine.ts';
import { BRIDGE_ANNOUNCEMENT } from './protocol/frames/frames.ts';
import { serverTimingHas } from './bridge/server-timing.ts';
import { trustScriptsIn } from './protocol/page/script-urls.ts';
import type { ModelStatus, Service } from './service/service.ts';
import { factsOf } from './stores/models-store.ts';
import { takeClassLink } from './pages/learn/learn-store.ts';
import { takeSharedQuestion } from './pages/explain/share-link.ts';
import { createLastUses } from './pages/models/own/last-uses.ts';
import type { PrivacySource } from './pages/privacy/privacy-store.ts';
import type { BufferedStorage } from './stores/buffered-storage.ts';
import { createStores, type Stores } from './app/create-stores.ts';
import { App } from './app/app.tsx';

async function start(root: HTMLElement): Promise<void> {
  // The service brings the validator, a third of the page's script, which nothing before it needs.
  const { createService } = await import('./service/create-service.ts');
  const storage = storageOrNull();
  const backend = askedBackend();
  const statuses = createStatusRelay();
  const uses = createLastUses(storage);
  let onToken = (_token: string): void => undefined;
  const service = createService({
    storage,
    ...(backend && { backend }),
    ...(serverTimingHas(LOCAL_MODELS_ANNOUNCEMENT) && { localModels: LOCAL_MODELS_PATH }),
    onUse: uses.note,
    onModel: statuses.hear,
    onToken: (token) => onToken(token),
  });
  globalThis.lightwell = service;
  const classLink = takeClassLink(window); // before the stores read the address
  const stores = storesOver(service, storage, uses);
  statuses.passTo((status) => show(status, stores));
  const openSet = (hash: string) => void stores.learn.getState().open(hash);
  if (classLink !== null) openSet(classLink);
  addEventListener('hashchange', () => {
    const [set, question] = [takeClassLink(window), takeSharedQuestion(window)];
    if (set !== null) openSet(set);
    if (question) stores.explain.getState().open(question);
  });
  service.models.subscribe(() => listModels(service.models, stores));
  const transports = startTransports(service, stores);
  onToken = (token) => {
    stores.settings.setState({ token });
    void transports.then(({ refresh }) => refresh());
  };
  void restoreModels(service, stores);
  addEventListener('online', service.retry);
  offerInstall(stores);
  void offerTools(service, stores);
  // Development serves no list of files, and another service worker.
  if (import.meta.env.PROD) void cacheFiles(service, stores);
  const { choice, choose } = stores.language.getState();
  await choose(choice); // English is here already; a page that changes its language while it is read is worse than a late one
  createRoot(root).render(
    <StrictMode>
      <App stores={stores} />
    </StrictMode>,
  );
}

function storesOver(
  service: Service,
  storage: BufferedStorage | null,
  uses: ReturnType<typeof createLastUses>,
): Stores {
  const { models: catalogue, settings } = service;
  const client = createClient(service);
  return createStores({
    client,
    call: createRawCall(service),
    storage,
    settings,
    address: window,
    languages: navigator.languages,
    token: () => service.token,
    tokens: { current: () => service.token, replace: service.replaceToken },
    link: takeSharedQuestion(window),
    retryModel: service.retry,
    privacy: privacySource(),
    engineSource: {
      offer: () => engineOffer(service),
      check: service.checkEngine,
      connectUpstream: service.connectUpstream,
    },
    ...modelChoices(catalogue),
    home: {
      addFolder: service.addFolder,
      removeModel: service.removeModel,
      deviceOf: service.deviceOf,
      lastUses: uses.all,
    },
    modelFacts: catalogue.models.map(factsOf),
    readText,
    get model() {
      return modelToAsk(service).name;
    },
    get upstream() {
      return modelToAsk(service).upstream ?? null;
    },
    loadedSource: {
      client,
      get model() {
        return modelToAsk(service, 'explain').name;
      },
    },
  });
}

/** The model of the Explain page. @param needed  a capability that it must have; models behind a server have `likelihood` alone */
function modelToAsk({ models, settings }: Service, needed?: 'explain'): Model {
  return defaultModel('explain', models, settings.get(), needed) ?? models.preferred;
}

/** Lists the models that the user has added, once the page's own is ready, which needs the network and the worker before. */
async function restoreModels({ ready }: Service, { models }: Stores): Promise<void> {
  await ready.catch(() => undefined);
  // Without a network the code is missing until it is cached; the Models page asks for it again and says so.
  const code = await import('./pages/models/own/own-models.ts').catch(() => undefined);
  if (!code) return;
  const { folders, fetches } = code.ownModelsOf(models.getState());
  const { partial } = await folders.getState().restore();
  fetches.getState().restore(partial);
}

function modelChoices(catalogue: Catalogue) {
  const able = (use: ModelUse) => capableModels(use, catalogue).map(({ name }) => name);
  const choices = { explain: able('explain'), semantic_embed: able('semantic_embed'), qa: able('qa') };
  return { models: catalogue.models.map(({ name }) => name), choices };
}

function listModels(catalogue: Catalogue, { models, settings }: Stores): void {
  models.getState().list(catalogue.models.map(factsOf));
  settings.setState(modelChoices(catalogue));
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

/** Holds the newest status until there is a store to show it: the model starts to load before the page is set up. */
function createStatusRelay() {
  let listener: ((status: ModelStatus) => void) | null = null;
  let newest: ModelStatus | null = null;
  return {
    hear(status: ModelStatus): void {
      newest = status;
      listener?.(status);
    },
    passTo(next: (status: ModelStatus) => void): void {
      listener = next;
      if (newest) next(newest);
    },
  };
}

function show(status: ModelStatus, { engine, explain }: Stores): void {
  const { model, opening, loading, ready, failed } = engine.getState();
  if (status.model !== model) opening(status.model);
  if (status.kind === 'loading') loading(status.progress);
  else if (status.kind === 'failed') failed(status.failure);
  else {
    ready(status.preparation);
    explain.getState().modelReady();
  }
}

/** Opens the transports from outside the page once the page itself is set up. */
async function startTransports(service: Service, { transports }: Stores): Promise<Transports> {
  const { openTransports } = await import('./bridge/transports.ts');
  const facts = () => {
    const { allowedOrigins, timeoutMs } = service.settings.get();
    return { allowedOrigins, timeoutMs, token: service.token };
  };
  const opened = openTransports({
    router: service,
    origin: location.origin,
    facts,
    onBridge: (bridge) => transports.setState({ bridge }),
    onServiceWorker: (serviceWorker, reason) => transports.setState({ serviceWorker, reason: reason ?? null }),
    onOccupants: (occupants) => transports.setState({ occupants }),
  });
  service.settings.subscribe(opened.refresh);
  return opened;
}

/** The engine that the local server offers; null without a local server, or if it offers none. */
async function engineOffer({ token }: Service): Promise<EngineOffer | null> {
  if (!serverTimingHas(BRIDGE_ANNOUNCEMENT)) return null;
  const response = await fetch(new URL(ENGINE_PATH, document.baseURI), {
    headers: { Authorization: `Bearer ${token}` },
  });
  return response.ok ? ((await response.json()) as EngineOffer | null) : null;
}

/** From the start on, so that the list has what the page itself is made of. */
const ownRequests = listRequests(window, 'page');

function privacySource(): PrivacySource {
  const folder = new URL('.', document.baseURI).href;
  const originStorage = () => import('./bridge/origin/origin-storage.ts');
  return {
    origin: location.origin,
    watchRequests: async (onList) =>
      (await import('./bridge/origin/request-lists.ts')).collectRequestLists(ownRequests, onList),
    listStorage: async () => (await originStorage()).listOriginStorage(folder),
    async clear() {
      isCleared = true;
      stopCaching();
      return (await originStorage()).clearOriginStorage(folder);
    },
  };
}

let stopCaching: () => void = () => undefined;

/** Lets the Privacy page offer what the browser offers: Chromium alone asks pages, and tells them once. */
function offerInstall({ offline }: Stores): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    const { prompt } = event as Event & { prompt?: () => Promise<unknown> };
    offline.setState({ install: () => void prompt?.call(event) });
  });
  addEventListener('appinstalled', () => offline.setState({ install: null }));
}

/** Lets agents of the browser use the models, if the settings allow it and the browser has agents. */
async function offerTools(service: Service, { settings }: Stores): Promise<void> {
  const { modelContext } = document as Document & { readonly modelContext?: ModelContext };
  if (!modelContext) return;
  const { offerTools: offer } = await import('./client/page-tools.ts');
  offer(modelContext, service, service.settings, (toolUse) => settings.setState({ toolUse }));
}

/** Stores the app's files on the device, so that it opens without a network. */
async function cacheFiles({ ready }: Service, { offline }: Stores): Promise<void> {
  const { startOffline } = await import('./bridge/offline/start-offline.ts');
  const actions = await startOffline({ ready, onState: (facts) => offline.setState({ ...facts, kind: 'known' }) });
  if (actions) stopCaching = actions.stop;
  offline.setState(actions ? { actions } : { kind: 'absent' });
}

/** `?backend=wasm` or `?backend=webgpu` overrides the measured choice of device. */
function askedBackend(): BackendKind | null {
  const asked = new URLSearchParams(location.search).get('backend');
  return asked === 'wasm' || asked === 'webgpu' ? asked : null;
}

/** Everything was removed from the device; this tab stores nothing afterwards. */
let isCleared = false;

/** Storage may be forbidden; the page then forgets, and works. */
function storageOrNull(): BufferedStorage | null {
  try {
    const { localStorage } = window;
    return {
      getItem: (key) => localStorage.getItem(key),
      setItem(key, text) {
        if (isCleared) throw new Error('everything was cleared in this tab'); // as a full storage: callers say so
        localStorage.setItem(key, text);
      },
      removeItem: (key) => localStorage.removeItem(key),
    };
  } catch {
    return null;
  }
}

const root = document.getElementById('root');
if (!root) throw new Error('expected an element #root in the page');
trustScriptsIn(new URL('.', document.baseURI).href);
// Development sends the headers itself, and serves the service worker's source elsewhere.
const isReloading = import.meta.env.PROD && (await reloadToIsolate());
// Not awaited: what it loads, such as the table of a language, may import this script and would wait for its end.
if (!isReloading) void start(root);
