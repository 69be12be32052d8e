import { DEFAULT_SETTINGS, type ServiceSettings } from '../../src/contract/settings.ts';
import { createCatalogue, embeddedModels, type Catalogue } from '../../src/models/catalogue.ts';
import { createRouter } from '../../src/router/router.ts';
import { submitTo } from '../../src/scheduler/lanes.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import type { Lane } from '../../src/scheduler/spawn.ts';
import type { LoadedModel } from '../../workers/engine/engine.ts';
import { extractText } from '../../workers/operations/extract-text.ts';
import { createOperations, type ProvideModel } from '../../workers/operations/operations.ts';
import { serve } from '../../workers/serve.ts';
import { createFakeModel } from './fake-model.ts';

/** The token that test pages accept. */
export const TOKEN = 'test-token';

/** How a test page differs from the usual one. */
export interface PageOptions {
  readonly model?: LoadedModel;
  readonly provide?: ProvideModel;
  readonly timeoutMs?: number;
  readonly maxWaiting?: number;
  /** In place of the two above; read at each request. */
  readonly settings?: () => ServiceSettings;
  readonly catalogue?: Catalogue;
}

/** Router, scheduler, wire and message loop as in a page, over a channel in place of a worker; only the model is fake. */
export function createPage({
  model = createFakeModel(),
  provide = async () => model,
  timeoutMs = 5000,
  maxWaiting = 64,
  settings = () => ({ ...DEFAULT_SETTINGS, timeoutMs, maxWaiting }),
  catalogue = createCatalogue(embeddedModels('http://localhost/')),
}: PageOptions = {}) {
  const lanes: Lane[] = [];
  const spawn = () => {
    const lane = channelLane(provide);
    lanes.push(lane);
    return lane;
  };
  const scheduler = createScheduler({ spawn, maxWaiting: () => settings().maxWaiting });
  const documents = createScheduler({ spawn: () => laneServing({ extractText }), graceMs: 100 });
  const router = createRouter({
    submit: submitTo({ inference: scheduler.submit, documents: documents.submit }),
    catalogue,
    token: () => TOKEN,
    settings,
  });
  return { router, scheduler, lanes };
}

/** A lane over a `MessageChannel` whose other end serves in this process. */
export function channelLane(provide: ProvideModel): Lane {
  return laneServing(createOperations(provide));
}

function laneServing(operations: Parameters<typeof serve>[1]): Lane {
  const { port1, port2 } = new MessageChannel();
  serve(port2, operations);
  const lane: Lane = {
    onmessage: null,
    onlost: null,
    postMessage: (message, transfer) => port1.postMessage(message, transfer),
    terminate: () => port1.close(),
  };
  port1.onmessage = (event) => lane.onmessage?.(event);
  return lane;
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
