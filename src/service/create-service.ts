import { FailureError } from '../contract/failure.ts';
import { shown } from '../contract/shown.ts';
import { createTokenStore } from './token.ts';
import { type Catalogue, createCatalogue, embeddedModels } from '../models/catalogue.ts';
import { LONG_BODY, longBodyOf, withLongBody } from '../contract/wire/long-body.ts';
import type { ServiceSettings } from '../contract/settings.ts';
import type { Model } from '../models/model.ts';
import type { Device, Preparation, PrepareJob } from '../protocol/model-job.ts';
import { engineFor, engineNamedFor, upstreamOf } from '../router/request/model-choice.ts';
import { createRouter } from '../router/router.ts';
import { ENGINE_PATH } from '../contract/wire/engine.ts';
import { addFolder, addLocalModels, removeFoundModel } from './found-models.ts';
import type { Submit } from '../scheduler/scheduler.ts';
import { createDefaultModel } from './default-model-loader.ts';
import type { Service, ServiceOptions } from './service.ts';
import { createServiceSettings } from './service-settings.ts';
import { followUpstream } from './upstream-models.ts';
import { createWorkers } from './workers.ts';

export type { ModelStatus, Service, ServiceOptions } from './service.ts';

/**
 * The composition root: catalogue, settings, workers and router. The page, the examples, benchmarks, evaluations and tests all
 * start here.
 *
 * @throws {FailureError} INVALID_REQUEST for a setting that is refused
 */
export function createService(options: ServiceOptions = {}): Service {
  const { storage = null, backend, wasmUrl, localModels, fetchFile } = options;
  const page = options.baseUrl ?? document.baseURI;
  const { origin } = new URL(page);
  const catalogue = catalogueOf(options, page);
  const settings = createServiceSettings(storage, catalogue);
  const known = localModels === undefined ? catalogue : null; // models of a list are known later
  if (options.settings) settings.set(options.settings, known);
  const token = createTokenStore(storage, options.token, options.onToken);
  const listening = new AbortController();
  if (storage) globalThis.addEventListener?.('storage', settings.follow, listening);
  if (storage && options.token === undefined) globalThis.addEventListener?.('storage', token.subscribe, listening);
  const workers = createWorkers({ ...options.workers, catalogue, settings: settings.get });
  const { submit: run } = workers;
  const found = { submit: run, catalogue, settings };
  const runtime = wasmUrl === undefined ? undefined : new URL(wasmUrl, page).href;
  const device = () => deviceIn(settings.get(), backend, runtime);
  const engineOptions = { settings: settings.get, token: token.current, engineUrl: new URL(ENGINE_PATH, page).href };
  const deviceOf = (wanted: Model): Device => {
    const remote = engineFor(wanted, null, engineOptions);
    const upstream = upstreamOf(wanted, engineOptions);
    return { ...device(), ...(remote && { remote }), ...(upstream && { upstream }) };
  };
  const model = createDefaultModel({ ...options, submit: run, catalogue, settings, deviceOf });
  workers.whenLost(model.lost);
  const submit: Submit = async (kind, input, submitOptions) => {
    if ('model' in input) options.onUse?.(input.model.name);
    const result = await run(kind, input, submitOptions);
    if (result.ok && 'model' in input) model.noteSuccess(input.model);
    return result;
  };
  // After the default model: its bytes come first.
  const local = localModels !== undefined && model.settled.then(() => addLocalModels(localModels, page, found));
  const upstream = followUpstream({ catalogue, settings, token: token.current, page });
  const modelsKnown = Promise.all([local, upstream.known]);
  const router = createRouter({ submit, catalogue, ...engineOptions, device, modelsKnown, fetchFile, storage });
  return {
    fetch: async (input, init) =>
      router.fetch(requestOf(typeof input === 'string' ? new URL(input, origin) : input, init)),
    baseUrl: origin,
    get token() {
      return token.current();
    },
    replaceToken: token.replace,
    ready: whenBoth(model.ready, local), // not `upstream`: it is on another machine
    retry: model.retry,
    settings,
    checkEngine: async (name) =>
      (await prepared(run, { ...onEngine(name, catalogue, engineOptions), ...device() })).reason,
    connectUpstream: upstream.connect,
    deviceOf: async (name) => prepared(run, { ...notOnEngine(listed(catalogue, name), engineOptions), ...device() }),
    models: catalogue,
    addFolder: (folder) => addFolder(folder, found),
    removeModel: (name) => removeFoundModel(name, found),
    dispose() {
      listening.abort();
      workers.dispose();
    },
  };
}

type EngineOptions = Parameters<typeof upstreamOf>[1];

/** A model on the engine that settings name for it. @throws {FailureError} INVALID_REQUEST where they name none */
function onEngine(name: string, catalogue: Catalogue, options: EngineOptions): PrepareJob {
  const model = catalogue.find(name);
  const remote = model && engineNamedFor(model, options);
  if (remote) return { model, remote };
  throw new FailureError('INVALID_REQUEST', `engine: expected a model that settings name, got ${shown(name)}`);
}

/** A model of this device, or of an OpenAI-compatible server. */
function notOnEngine(model: Model, options: EngineOptions): PrepareJob {
  const upstream = upstreamOf(model, options);
  return { model, ...(upstream && { upstream }) };
}

/** Rejects as the first one does; that is reported by `onModel` too, so it may be left unhandled. */
function whenBoth(first: Promise<void>, second: Promise<void> | false | undefined): Promise<void> {
  const both = first.then(async () => void (await second));
  both.catch(() => undefined);
  return both;
}

/** The device of the options, else that of the settings. */
function deviceIn({ device }: ServiceSettings, backend = device.backend ?? undefined, wasmUrl?: string): Device {
  const { threads } = device;
  return {
    ...(backend && { backend }),
    ...(wasmUrl !== undefined && { wasmUrl }),
    ...(threads !== null && { threads }),
  };
}

/** @throws {FailureError} INVALID_REQUEST for an unknown name */
function listed(catalogue: Catalogue, name: string): Model {
  const found = catalogue.find(name);
  if (found) return found;
  throw new FailureError('INVALID_REQUEST', `model: expected one that is listed, got ${shown(name)}`);
}

/** Loads a model, or finds it loaded. @throws {FailureError} with why it cannot be */
async function prepared(submit: Submit, job: PrepareJob): Promise<Preparation> {
  const result = await submit('prepare', job);
  if (result.ok) return result.value;
  throw new FailureError(result.failure.code, result.failure.message);
}

function catalogueOf({ models, modelsUrl }: ServiceOptions, page: string): Catalogue {
  const folder = new URL(modelsUrl ?? 'models/', page).href;
  return createCatalogue(models ?? embeddedModels(folder));
}

/** As `new Request`, but keeps a long body as text. */
function requestOf(input: URL | Request, init: RequestInit = {}): Request {
  const { body } = init;
  if (typeof body === 'string' && body.length > LONG_BODY)
    return withLongBody(new Request(input, { ...init, body: null }), body);
  const given = input instanceof Request ? longBodyOf(input) : undefined;
  const request = new Request(input, init);
  return given === undefined ? request : withLongBody(request, given);
}
