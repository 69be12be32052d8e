import { createCatalogue, embeddedModels } from '../../src/models/catalogue.ts';
import { createRouter } from '../../src/router/router.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import type { Lane } from '../../src/scheduler/spawn.ts';
import type { LoadedModel } from '../../workers/engine/engine.ts';
import { createOperations, type ProvideModel } from '../../workers/operations/operations.ts';
import { serve } from '../../workers/serve.ts';
import { createFakeModel } from './fake-model.ts';

/** The token that test pages accept. */
export const TOKEN = 'test-token';

/** Router, scheduler, wire and message loop as in a page, over a channel in place of a worker; only the model is fake. */
export function createPage({
  model = createFakeModel(),
  provide = async () => model,
  timeoutMs = 5000,
  maxWaiting = 64,
}: { model?: LoadedModel; provide?: ProvideModel; timeoutMs?: number; maxWaiting?: number } = {}) {
  const lanes: Lane[] = [];
  const spawn = () => {
    const lane = channelLane(provide);
    lanes.push(lane);
    return lane;
  };
  const scheduler = createScheduler({ spawn, maxWaiting });
  const router = createRouter({
    submit: scheduler.submit,
    catalogue: createCatalogue(embeddedModels('http://localhost/')),
    token: () => TOKEN,
    operator: 'lightwell',
    timeoutMs,
  });
  return { router, scheduler, lanes };
}

/** A lane over a `MessageChannel` whose other end serves in this process. */
export function channelLane(provide: ProvideModel): Lane {
  const { port1, port2 } = new MessageChannel();
  serve(port2, createOperations(provide));
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
