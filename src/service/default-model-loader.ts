import { FailureError } from '../contract/failure.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';
import { defaultModel } from '../models/default-model.ts';
import type { Device } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/scheduler.ts';
import type { ModelStatus, ServiceOptions } from './service.ts';
import type { ServiceSettingsStore } from './service-settings.ts';

/**
 * Loads the default model for explanations ahead of requests: again when the settings choose another one or another place for
 * it, and after a failure when a request with it has succeeded or `retry` is called.
 *
 * @param options  `deviceOf`: where a model's passes run if a request does not say
 */
export function createDefaultModel({
  preload = true,
  onModel,
  ...options
}: Pick<ServiceOptions, 'preload' | 'onModel'> & {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  readonly settings: Pick<ServiceSettingsStore, 'get' | 'subscribe'>;
  readonly deviceOf: (model: Model) => Device;
}) {
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
    /** Of the first load. */
    ready,
    /** Resolves once the first load has succeeded or failed. */
    settled: ready.catch(() => undefined),
    /** A request with this model has succeeded. */
    noteSuccess: (model: Model) => model === latest && loadIf('failed'),
    retry: () => loadIf('failed'),
    /** A worker was lost, and with it its models: the default one is loaded again for the next request. */
    lost: (served: (model: Model) => boolean) => served(latest) && loadIf('ready'),
  };
}

/** The promise rejects with the failure. An unhandled rejection is not reported, because `onModel` gets the failure too. */
function unawaited(promise: Promise<void>): void {
  promise.catch(() => undefined);
}
