import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { embeddedModels } from '../../../src/models/catalogue.ts';
import type { Model } from '../../../src/models/model.ts';
import type { PrepareJob } from '../../../src/protocol/model-job.ts';
import type { WorkerPort } from '../../../src/scheduler/spawn.ts';
import { createService } from '../../../src/service/create-service.ts';
import type { ServiceOptions } from '../../../src/service/service.ts';
import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { extractText } from '../../../workers/operations/extract-text.ts';
import { createOperations } from '../../../workers/operations/operations.ts';
import { createFakeModel } from './fake-model.ts';
import { servedPort } from '../workers/served-port.ts';

/** Where the operations of a page get their models from. */
export type ProvideModel = (wanted: PrepareJob) => Promise<LoadedModel>;

/** Files of the page. */
const PUBLIC = new URL('../../../public/', import.meta.url);

/** The token that test pages accept. */
export const TOKEN = 'test-token';

/** How a test page differs from the usual one. */
export interface PageOptions extends Pick<ServiceOptions, 'settings' | 'storage' | 'preload' | 'onModel' | 'token'> {
  readonly model?: LoadedModel;
  readonly provide?: ProvideModel;
  readonly timeoutMs?: number;
  readonly maxWaiting?: number;
  readonly models?: readonly Model[];
}

/** A service as in a page, over channels in place of workers; only the model is fake. */
export function createPage({
  model = createFakeModel(),
  provide = async () => model,
  timeoutMs = 120_000,
  maxWaiting = DEFAULT_SETTINGS.maxWaiting,
  settings,
  models = embeddedModels('http://localhost/models/'),
  preload = false,
  ...options
}: PageOptions = {}) {
  const workers: WorkerPort[] = [];
  const inference = () => {
    const port = channelPort(provide);
    workers.push(port);
    return port;
  };
  const router = createService({
    baseUrl: 'http://localhost/',
    token: TOKEN,
    models,
    preload,
    fetchFile: async (url) => new Response(readFileSync(new URL(`.${new URL(String(url)).pathname}`, PUBLIC))),
    ...options,
    settings: { timeoutMs, maxWaiting, ...settings },
    workers: { inference, documents: documentsPort },
  });
  return { router, workers };
}

/** A worker port over a `MessageChannel` whose other end serves in this process. */
export function channelPort(provide: ProvideModel): WorkerPort {
  return servedPort(
    createOperations({
      withModel: async (wanted, _, task) => task(await provide(wanted)),
      unload: async () => undefined,
    }),
  );
}

/** A worker port whose other end reads documents in this process. */
export function documentsPort(): WorkerPort {
  return servedPort({ extractText });
}

/** A request of the contract as a client would send it. */
export function post(path: string, body: unknown, init: RequestInit = {}): Request {
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', ...init.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(init.signal && { signal: init.signal }),
  });
}
