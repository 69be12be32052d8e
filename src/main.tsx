import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './client/client.ts';
import { FailureError } from './contract/failure.ts';
import { createCatalogue, embeddedModels } from './models/catalogue.ts';
import type { BackendKind, PrepareJob } from './protocol/jobs.ts';
import { createLightwell } from './router/lightwell.ts';
import type { Router } from './router/router.ts';
import type { Setting } from './router/setting.ts';
import { createTokenKeeper } from './router/token.ts';
import { createScheduler, type Scheduler } from './scheduler/scheduler.ts';
import { spawnInferenceLane } from './scheduler/spawn.ts';
import type { EngineStore } from './state/engine-store.ts';
import { takeSharedQuestion } from './state/share-link.ts';
import { createStores } from './state/stores.ts';
import { App } from './ui/app.tsx';

/** @source contract facts §1.1 */
const TIMEOUT_MS = 300_000;
const OPERATOR = 'lightwell';

/** Puts the rooms together: scheduler, router, client, state, page. */
function start(root: HTMLElement): void {
  const backend = askedBackend();
  const catalogue = createCatalogue(embeddedModels(document.baseURI));
  const model = catalogue.preferred;
  const wanted: PrepareJob = { model, ...(backend && { backend }) };
  const scheduler = createScheduler({ spawn: spawnInferenceLane });
  const storage = storageOrNull();
  const token = createTokenKeeper(storage).current;
  const { submit } = scheduler;
  const setting = { submit, catalogue, token, operator: OPERATOR, timeoutMs: TIMEOUT_MS, ...(backend && { backend }) };
  const router = lazyRouter(setting);
  const client = createClient({ fetch: router.fetch, baseUrl: location.origin, token });
  const stores = createStores({ client, model: model.name, storage, shared: takeSharedQuestion(window) });
  const ready = prepare(wanted, scheduler, stores.engine);
  globalThis.lightwell = createLightwell(router, { origin: location.origin, token, ready });
  createRoot(root).render(
    <StrictMode>
      <App stores={stores} />
    </StrictMode>,
  );
}

/** The router's validation is a third of the page's script and needed with the first request only. */
function lazyRouter(setting: Setting): Router {
  const router = import('./router/router.ts').then(({ createRouter }) => createRouter(setting));
  return { fetch: async (request) => (await router).fetch(request) };
}

/** Loads the default model at once, so that it is there when it is first asked. */
async function prepare(wanted: PrepareJob, { submit }: Scheduler, engine: EngineStore): Promise<void> {
  const { loading, ready, failed } = engine.getState();
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
start(root);
// The page shows the failure; who awaits `ready` gets it too. Nobody awaiting it is no error of its own.
globalThis.lightwell.ready.catch(() => undefined);
