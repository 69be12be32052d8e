import { createCatalogue, embeddedModels, type Catalogue } from '../models/catalogue.ts';
import { inPieces, LONG_BODY, longBodyOf, withLongBody } from '../contract/wire/long-body.ts';
import type { ServiceSettings } from '../contract/settings.ts';
import type { Model } from '../models/model.ts';
import type { Device, Preparation, PrepareJob } from '../protocol/model-job.ts';
import { FailureError } from '../contract/failure.ts';
import { engineFor, engineNamedFor } from '../router/request/placement.ts';
import { createRouter } from '../router/router.ts';
import { ENGINE_PATH } from '../contract/wire/engine.ts';
import { addFoundModel, type FoundFolder, removeFoundModel } from './found-models.ts';
import { addLocalModels } from './local-models.ts';
import type { Submit } from '../scheduler/job.ts';
import { createWorkers } from './workers.ts';
import { createDefaultModel } from './default-model-loader.ts';
import type { HeldFolder, Service, ServiceOptions } from './service.ts';
import { createSettingsKeeper } from './settings-keeper.ts';
import { createThreadTrials, type ThreadTrials } from './thread-trials.ts';
import { createTokenKeeper } from './token.ts';

export type { ModelStatus, Service, ServiceOptions } from './service.ts';

/**
 * The composition root: catalogue, settings, workers and router, put together once. The page, the examples, benchmarks,
 * evaluations and tests all start here.
 *
 * @throws {FailureError} INVALID_REQUEST for a setting that is refused
 */
export function createService(options: ServiceOptions = {}): Service {
  const { storage = null, backend, wasmUrl } = options;
  const page = options.baseUrl ?? document.baseURI;
  const { origin } = new URL(page);
  const catalogue = catalogueOf(options, page);
  const settings = createSettingsKeeper(storage, catalogue);
  if (options.settings) settings.set(options.settings);
  const token = createTokenKeeper(storage, options.token, options.onToken);
  const listening = new AbortController();
  if (storage && options.token === undefined) globalThis.addEventListener?.('storage', token.hear, listening);
  const maxWaiting = () => settings.get().maxWaiting;
  const workers = createWorkers({ ...options.workers, maxWaiting, onLost: () => model.lost() });
  const trials = triedThreads(workers.submit, options);
  const { submit: run } = trials;
  const runtime = wasmUrl === undefined ? undefined : new URL(wasmUrl, page).href;
  const device = () => deviceIn(settings.get(), backend, runtime);
  const way = { settings: settings.get, token: token.current, engineUrl: new URL(ENGINE_PATH, page).href };
  const deviceOf = (wanted: Model): Device => {
    const remote = engineFor(wanted, null, way);
    return { ...device(), ...(remote && { remote }) };
  };
  const model = createDefaultModel({ ...options, submit: run, catalogue, settings, deviceOf });
  const submit = tellingUse(model.submit, options.onUse);
  if (options.localModels)
    model.ready
      .catch(() => undefined) // what became of it, `ready` tells
      .then(() => addLocalModels({ page, submit: run, catalogue }))
      .catch((error: unknown) => console.warn(`No local models are listed: ${String(error)}`));
  const router = createRouter({ submit, catalogue, ...way, device });
  return {
    fetch: async (input, init) =>
      router.fetch(requestOf(typeof input === 'string' ? new URL(input, origin) : input, init)),
    baseUrl: origin,
    get token() {
      return token.current();
    },
    replaceToken: token.replace,
    ready: model.ready,
    retry: model.retry,
    settings,
    async checkEngine(name) {
      const wanted = catalogue.find(name);
      const remote = wanted && engineNamedFor(wanted, way);
      if (!remote)
        throw new FailureError('INVALID_REQUEST', `engine: expected a model that settings name, got "${name}"`);
      return (await prepared(run, { model: wanted, ...device(), remote })).reason;
    },
    deviceOf: async (name) => prepared(run, { model: listed(catalogue, name), ...device() }),
    models: catalogue,
    addFolder: (held) => addFoundModel(foundOf(held), { submit: run, catalogue }),
    removeModel: (name) => removeFoundModel(name, { submit: run, catalogue }),
    dispose() {
      listening.abort();
      trials.dispose();
      workers.dispose();
    },
  };
}

/** What the options and the user ask for, the options first. */
function deviceIn({ device }: ServiceSettings, backend = device.backend ?? undefined, wasmUrl?: string): Device {
  const { threads: count } = device;
  return {
    ...(backend && { backend }),
    ...(wasmUrl !== undefined && { wasmUrl }),
    ...(count !== null && { threads: { count, why: `${count} as set` } }),
  };
}

/** Jobs on tried numbers of threads, or as they are. */
function triedThreads(submit: Submit, { tryThreads, storage, workers }: ServiceOptions): ThreadTrials {
  if (!tryThreads || !storage) return { submit, dispose: () => undefined };
  return createThreadTrials({ ...tryThreads, submit, storage, inference: workers?.inference });
}

/** @throws {FailureError} INVALID_REQUEST for a name of no model */
function listed(catalogue: Catalogue, name: string): Model {
  const found = catalogue.find(name);
  if (found) return found;
  throw new FailureError('INVALID_REQUEST', `model: expected one that is listed, got "${name}"`);
}

/** Loads a model, or finds it loaded. @throws {FailureError} with why it cannot be */
async function prepared(submit: Submit, job: PrepareJob): Promise<Preparation> {
  const result = await submit('prepare', job);
  if (result.ok) return result.value;
  throw new FailureError(result.failure.code, result.failure.message);
}

/** How many folders of a name there were: what is loaded of an older one is not taken for a newer one. */
const heldFolders = new Map<string, number>();

function foundOf({ name, held }: HeldFolder): FoundFolder {
  const files = Object.fromEntries(Object.entries(held).map(([path, { size }]) => [path, size]));
  const count = (heldFolders.get(name) ?? 0) + 1;
  heldFolders.set(name, count);
  return { name, held, files, folder: count === 1 ? `${name}/` : `${name} (${count})/` };
}

function tellingUse(submit: Submit, onUse: ServiceOptions['onUse']): Submit {
  if (!onUse) return submit;
  return (job, input, options) => {
    if ('model' in input) onUse(input.model.name);
    return submit(job, input, options);
  };
}

function catalogueOf({ models, modelsUrl }: ServiceOptions, page: string): Catalogue {
  const folder = new URL(modelsUrl ?? 'models/', page).href;
  return createCatalogue(models ?? embeddedModels(folder));
}

/** As `new Request`, but a long body stays in pieces. */
function requestOf(input: URL | Request, init: RequestInit = {}): Request {
  const { body } = init;
  if (typeof body === 'string' && body.length > LONG_BODY)
    return withLongBody(new Request(input, { ...init, body: null }), inPieces(body));
  const given = input instanceof Request ? longBodyOf(input) : undefined;
  const request = new Request(input, init);
  return given ? withLongBody(request, given) : request;
}
