import { FailureError } from '../../contract/failure.ts';
import { ENGINE_PATH, UPSTREAM_PATH } from '../../contract/wire/engine.ts';
import { shown, shownNames } from '../../contract/shown.ts';
import { capableModels, defaultModel, isCapable, modelNamed, type ModelUse } from '../../models/default-model.ts';
import type { Capability, Model } from '../../models/model.ts';
import type { ServiceSettings } from '../../contract/settings.ts';
import type { Catalogue } from '../../models/catalogue.ts';
import type { Device, RemoteEngine } from '../../protocol/model-job.ts';
import type { Submit } from '../../scheduler/scheduler.ts';

/** The fields of a request that choose its model. */
export interface WantedModel {
  /** Absent if the operation allows that: its default model. */
  readonly model?: string | null | undefined;
  readonly hosting?: string | null | undefined;
  /** Another capability that the default model should have. */
  readonly needed?: Capability | undefined;
}

/**
 * The model of a request; a name that settings map to a local model counts as that model's own.
 *
 * @throws {FailureError} PAYLOAD_ERROR for a foreign operator, UNKNOWN_MODEL, or MISSING_CAPABILITY
 */
export function chosenModel(
  { model: name, hosting, needed }: WantedModel,
  use: ModelUse | null,
  options: RouterOptions,
): Model {
  const { operator } = options.settings();
  if (hosting !== undefined && hosting !== null && hosting !== 'operator' && hosting !== operator)
    throw new FailureError(
      'PAYLOAD_ERROR',
      `hosting: expected null, "operator" or "${operator}", got ${shown(hosting)}`,
    );
  if (name === undefined || name === null) return modelWithoutName(use, options, needed);
  const model = namedModel(name, use, options);
  if (!model)
    throw new FailureError(
      'UNKNOWN_MODEL',
      `model: expected one of ${known(use, options)}, or an alias of the settings (modelNames), got ${shown(name)}`,
    );
  if (model.tier === 'refused')
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `model: ${shown(name)} cannot be used: ${model.reason ?? 'it was refused'}`,
    );
  if (use === null || isCapable(model, use)) return model;
  throw new FailureError(
    'MISSING_CAPABILITY',
    `model: expected one of ${known(use, options)}, got ${shown(name)}, which cannot ${use}${whyNot(model)}`,
  );
}

/** Why a model lacks capabilities, to follow what it cannot do; empty for one whose graph is rewritten. */
function whyNot({ tier, reason = '', upstream }: Model): string {
  if (tier !== 'as_exported') return '';
  return upstream === undefined ? `, because it runs as it was exported: ${reason}` : `, because ${reason}`;
}

/** @throws {FailureError} MISSING_CAPABILITY for a name that maps only to models of other operations */
function namedModel(name: string, use: ModelUse | null, { catalogue, settings }: RouterOptions): Model | undefined {
  const { modelNames } = settings();
  const own = catalogue.find(name);
  const models = Object.hasOwn(modelNames, name) ? modelNames[name] : undefined;
  if (own || models === undefined) return own;
  const first = typeof models === 'string' ? models : Object.values(models)[0];
  const local = use === null ? first : modelNamed(models, use);
  if (local !== undefined) return catalogue.find(local);
  throw new FailureError(
    'MISSING_CAPABILITY',
    `model: expected a name that stands for a model that can ${use}, got ${shown(name)}, which settings map for ${Object.keys(models).join(', ')}`,
  );
}

function modelWithoutName(
  use: ModelUse | null,
  { catalogue, settings }: RouterOptions,
  needed: Capability | undefined,
): Model {
  const model = use === null ? catalogue.models[0] : defaultModel(use, catalogue, settings(), needed);
  if (model) return model;
  throw new FailureError('MISSING_CAPABILITY', `model: expected one that can ${use}, and there is none here`);
}

/** The models for a use; all of them where none can. */
function known(use: ModelUse | null, { catalogue }: RouterOptions): string {
  const able = use === null ? [] : capableModels(use, catalogue);
  return shownNames((able.length > 0 ? able : catalogue.models).map(({ name }) => name));
}

/** Dependencies of the router. */
export interface RouterOptions {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  /** Read at each request, so that a new token applies at once. */
  readonly token: () => string;
  /** Read at each request, so that a change applies to the next one. */
  readonly settings: () => ServiceSettings;
  /** The device that models run on, read at each request. */
  readonly device?: () => Device;
  /** Resolves once the models of the local server, and of one that settings name, are known; left out: there are none to wait for. */
  readonly modelsKnown?: Promise<unknown>;
  /** Reads files of models' folders; left out: `fetch`. */
  readonly fetchFile?: typeof fetch | undefined;
  /** Has the concepts that steer models. Null or left out: they end with the process. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Where the local server accepts requests for its engine; left out: there is none. */
  readonly engineUrl?: string | undefined;
}

type EngineOptions = Pick<RouterOptions, 'settings' | 'token' | 'engineUrl'>;

/**
 * The engine that may run a model. `hosting` null allows any machine that the user permits; with an operator's name the
 * request runs here, whatever the settings say.
 *
 * @returns undefined: only this device may run it
 * @source contract field `hosting`
 */
export function engineFor(
  model: Pick<Model, 'name'>,
  hosting: string | null | undefined,
  options: EngineOptions,
): RemoteEngine | undefined {
  if (hosting !== undefined && hosting !== null) return undefined;
  return options.settings().engine.whenHostingIsNull ? engineNamedFor(model, options) : undefined;
}

/** The engine that settings name for a model, whether or not it may be used; undefined where they name none. */
export function engineNamedFor(
  { name }: Pick<Model, 'name'>,
  { settings, token, engineUrl }: EngineOptions,
): RemoteEngine | undefined {
  const { address, models } = settings().engine;
  const model = Object.hasOwn(models, name) ? models[name] : undefined;
  if (address === null || model === undefined || engineUrl === undefined) return undefined;
  return { url: engineUrl, address, model, token: token() };
}

/** The OpenAI-compatible server that has a model, with what it may read for one request; undefined where settings name none. */
export function upstreamOf(model: Model, { settings, token, engineUrl }: EngineOptions): Device['upstream'] {
  const { address, maxTokens, maxCost, pricePerMillionTokens: price } = settings().upstream;
  if (address === null || address !== model.upstream || engineUrl === undefined) return undefined;
  const paid = maxCost === null || price === null ? Infinity : Math.floor((maxCost / price) * 1e6);
  const most = Math.min(maxTokens ?? Infinity, paid);
  const url = new URL(UPSTREAM_PATH.slice(ENGINE_PATH.length), engineUrl).href;
  return { url, address, model: model.version, token: token(), maxTokens: Number.isFinite(most) ? most : null };
}

/** Where one request runs: on the engine or on this device. */
export function placementOf(model: Model, hosting: string | null | undefined, options: RouterOptions) {
  const { settings } = options;
  const upstream = upstreamOf(model, options);
  if (upstream) return placementAt(upstream, hosting);
  if (model.upstream !== undefined)
    throw new FailureError('ENGINE_UNAVAILABLE', `model: settings do not allow ${model.upstream} any more`);
  const device = options.device?.() ?? {};
  const engine = engineFor(model, hosting, options);
  const { ifAway } = settings().engine;
  let isAway = false;
  return {
    /** Runs a job on the engine, or here if the engine is away and the settings allow that. */
    async run<Output>(job: (device: Device) => Promise<Output>): Promise<Output> {
      if (engine === undefined) return job(device);
      try {
        return await job({ ...device, remote: engine });
      } catch (error) {
        const isEngineAway = error instanceof FailureError && error.failure.code === 'ENGINE_UNAVAILABLE';
        if (!isEngineAway || ifAway !== 'here') throw error;
        isAway = true;
        return job(device);
      }
    },
    /** `model_version` of the answer. */
    version: () => (engine && !isAway ? `${model.version} @ ${engine.address}/${engine.model}` : model.version),
    /** Value of the header `Lightwell-Ran`. While an answer is streamed, it names where else the rest may run. */
    ran(isStreamed: boolean) {
      if (engine === undefined) return 'here';
      if (isAway) return `here; tried="${engine.address}"`;
      const otherwise = isStreamed && ifAway === 'here' ? '; else="here"' : '';
      return `remote; address="${engine.address}"; model="${engine.model}"${otherwise}`;
    },
  };
}

/** A model elsewhere cannot run here. @throws {FailureError} INVALID_REQUEST for a request that names the operator */
function placementAt(upstream: NonNullable<Device['upstream']>, hosting: string | null | undefined) {
  const { address, model } = upstream;
  if (typeof hosting === 'string')
    throw new FailureError(
      'INVALID_REQUEST',
      `hosting: expected null for a model at ${address}, got ${shown(hosting)}`,
    );
  return {
    run: <Output>(job: (device: Device) => Promise<Output>) => job({ upstream }),
    version: () => `${model} @ ${address}`,
    ran: (_isStreamed: boolean) =>
      `remote; address="${address}"; model="${model.replaceAll(/[^\x20-\x7e]|["\\]/g, '?')}"`,
  };
}
