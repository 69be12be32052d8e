import type { EngineSettings, ServiceSettings } from '../../contract/settings.ts';
import { FailureError } from '../../contract/failure.ts';
import type { Model } from '../../models/model.ts';
import type { Device, RemoteEngine } from '../../protocol/model-job.ts';
import type { RouterOptions } from '../router-options.ts';

/** Where a model's passes may run, and how a page reaches an engine. */
export interface EngineWay {
  readonly settings: () => ServiceSettings;
  readonly token: () => string;
  /** Where the local server takes requests for its engine; left out: there is no local server. */
  readonly engineUrl?: string | undefined;
}

/**
 * The engine that may run a model. `hosting` null allows any machine that the user permits; an operator's name keeps the
 * request here, whatever the settings say.
 *
 * @returns undefined: only this device may
 * @source contract field `hosting`
 */
export function engineFor(
  model: Pick<Model, 'name'>,
  hosting: string | null | undefined,
  way: EngineWay,
): RemoteEngine | undefined {
  if (hosting !== undefined && hosting !== null) return undefined;
  return way.settings().engine.whenHostingIsNull ? engineNamedFor(model, way) : undefined;
}

/** The engine that settings name for a model, whether or not it may be used; undefined where they name none. */
export function engineNamedFor(
  { name }: Pick<Model, 'name'>,
  { settings, token, engineUrl }: EngineWay,
): RemoteEngine | undefined {
  const { address, models } = settings().engine;
  const model = Object.hasOwn(models, name) ? models[name] : undefined;
  if (address === null || model === undefined || engineUrl === undefined) return undefined;
  return { url: engineUrl, address, model, token: token() };
}

/** One request's place: runs it there, and says afterwards where it ran. */
export interface Placement {
  /** Runs a job on the engine, or here where the engine is away and the settings want that. */
  run<Output>(job: (device: Device) => Promise<Output>): Promise<Output>;
  /** `model_version` of the answer. */
  version(): string;
  /** Value of the header `Lightwell-Ran`. While an answer is streamed, it says where else the rest may run. */
  ran(isStreamed: boolean): string;
}

/** See `Placement`. */
export function placementOf(model: Model, hosting: string | null | undefined, options: RouterOptions): Placement {
  const { settings } = options;
  const device = options.device?.() ?? {};
  const engine = engineFor(model, hosting, options);
  const { ifAway } = settings().engine;
  let isAway = false;
  return {
    async run(job) {
      if (engine === undefined) return job(device);
      try {
        return await job({ ...device, remote: engine });
      } catch (error) {
        if (!mayRunHere(error, ifAway)) throw error;
        isAway = true;
        return job(device);
      }
    },
    version: () => (engine && !isAway ? `${model.version} @ ${engine.address}/${engine.model}` : model.version),
    ran(isStreamed) {
      if (engine === undefined) return 'here';
      if (isAway) return `here; tried="${engine.address}"`;
      const otherwise = isStreamed && ifAway === 'here' ? '; else="here"' : '';
      return `remote; address="${engine.address}"; model="${engine.model}"${otherwise}`;
    },
  };
}

function mayRunHere(error: unknown, ifAway: EngineSettings['ifAway']): boolean {
  return ifAway === 'here' && error instanceof FailureError && error.failure.code === 'ENGINE_UNAVAILABLE';
}
