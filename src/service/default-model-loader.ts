import { FailureError } from '../contract/failure.ts';
import type { Catalogue } from '../models/catalogue.ts';
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
  readonly device: Device;
}

/** Loads the default model for explanations ahead of requests, and again when the settings choose another one. */
export function createDefaultModel({ preload = true, onModel, ...options }: DefaultModelOptions): {
  readonly ready: Promise<void>;
} {
  const { submit, catalogue, settings, device } = options;
  const chosen = () => defaultModel('explain', catalogue, settings.get()) ?? catalogue.preferred;
  const tell = (status: ModelStatus) => onModel?.(status);
  let latest = chosen();
  const load = async () => {
    const model = (latest = chosen());
    const tellIfLatest = (status: ModelStatus) => model === latest && tell(status);
    tellIfLatest({ model: model.name, kind: 'loading', progress: null });
    const onProgress = onModel && {
      onProgress: (progress: Extract<ModelStatus, { kind: 'loading' }>['progress']) =>
        tellIfLatest({ model: model.name, kind: 'loading', progress }),
    };
    const result = await submit('prepare', { model, ...device }, { ...onProgress });
    if (result.ok) return void tellIfLatest({ model: model.name, kind: 'ready', preparation: result.value });
    tellIfLatest({ model: model.name, kind: 'failed', failure: result.failure });
    throw new FailureError(result.failure.code, result.failure.message);
  };
  if (!preload) return { ready: Promise.resolve() };
  settings.subscribe(() => {
    if (latest !== chosen()) unawaited(load());
  });
  const ready = load();
  unawaited(ready);
  return { ready };
}

/** The promise rejects with the failure. An unhandled rejection is not reported, because `onModel` gets the failure too. */
function unawaited(promise: Promise<void>): void {
  promise.catch(() => undefined);
}
