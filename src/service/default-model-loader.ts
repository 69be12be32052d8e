import { FailureError } from '../contract/failure.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';
import { defaultModel } from '../models/default-model.ts';
import type { Device } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/job.ts';
import type { ModelStatus, ServiceOptions } from './service.ts';
import type { SettingsKeeper } from './settings-keeper.ts';

/** See `createDefaultModel`. */
export interface DefaultModelOptions extends Pick<ServiceOptions, 'preload' | 'onModel'> {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  readonly settings: Pick<SettingsKeeper, 'get' | 'subscribe'>;
  /** Where a model's passes run when a request does not say. */
  readonly deviceOf: (model: Model) => Device;
}

/** The default model for explanations, loaded ahead of requests. */
export interface DefaultModel {
  /** Of the first load. */
  readonly ready: Promise<void>;
  /** Submits a job; one that succeeds after the model had failed shows that it can be loaded now. */
  readonly submit: Submit;
  /** Loads the model again where that has failed. */
  retry(): void;
  /** The worker was lost, and with it the model: it is loaded again, so that the next request need not wait. */
  lost(): void;
}

/**
 * Loads the default model, again when the settings choose another one or another place for it, and again after a failure as soon as its cause
 * may be gone: a request has succeeded, or somebody asks for it.
 */
export function createDefaultModel({ preload = true, onModel, ...options }: DefaultModelOptions): DefaultModel {
  const { submit, catalogue, settings, deviceOf } = options;
  const chosen = () => defaultModel('explain', catalogue, settings.get()) ?? catalogue.preferred;
  const placeOf = (model: Model) => JSON.stringify(deviceOf(model));
  let latest = chosen();
  let place = placeOf(latest);
  let kind: ModelStatus['kind'] | null = null;
  const load = async () => {
    const model = (latest = chosen());
    const at = (place = placeOf(model));
    const tell = (status: ModelStatus) => {
      if (model !== latest || at !== place) return;
      kind = status.kind;
      onModel?.(status);
    };
    tell({ model: model.name, kind: 'loading', progress: null });
    const onProgress = onModel && {
      onProgress: (progress: Extract<ModelStatus, { kind: 'loading' }>['progress']) =>
        tell({ model: model.name, kind: 'loading', progress }),
    };
    const result = await submit('prepare', { model, ...deviceOf(model) }, { ...onProgress });
    if (result.ok) return tell({ model: model.name, kind: 'ready', preparation: result.value });
    tell({ model: model.name, kind: 'failed', failure: result.failure });
    throw new FailureError(result.failure.code, result.failure.message);
  };
  const loadIf = (state: ModelStatus['kind']) => kind === state && unawaited(load());
  const loadChosen = () => {
    if (latest !== chosen() || place !== placeOf(latest)) unawaited(load());
  };
  if (preload) settings.subscribe(loadChosen);
  if (preload) catalogue.subscribe(loadChosen); // the chosen one may be found late, or removed
  const ready = preload ? load() : Promise.resolve();
  unawaited(ready);
  return {
    ready,
    async submit(job, input, submitOptions) {
      const result = await submit(job, input, submitOptions);
      if (result.ok && 'model' in input && input.model === latest) loadIf('failed');
      return result;
    },
    retry: () => loadIf('failed'),
    lost: () => loadIf('ready'),
  };
}

/** The promise rejects with the failure. An unhandled rejection is not reported, because `onModel` gets the failure too. */
function unawaited(promise: Promise<void>): void {
  promise.catch(() => undefined);
}
