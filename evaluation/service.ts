import { createClient, type Answer, type Client } from '../src/client/client.ts';
import { DEFAULT_SETTINGS } from '../src/contract/settings.ts';
import { createCatalogue, embeddedModels } from '../src/models/catalogue.ts';
import { createRouter } from '../src/router/router.ts';
import { createScheduler } from '../src/scheduler/scheduler.ts';
import { spawnInferenceLane } from '../src/scheduler/spawn.ts';

/** Patience for a slow machine; no answer depends on it. */
const TIMEOUT_MS = 3_600_000;

/** A client of the whole app behind its router: scheduler, worker, engine on WebAssembly. */
export function createService(): Client {
  const catalogue = createCatalogue(embeddedModels(location.origin));
  const { submit } = createScheduler({ spawn: spawnInferenceLane });
  const token = () => 'evaluation';
  const settings = () => ({ ...DEFAULT_SETTINGS, timeoutMs: TIMEOUT_MS });
  const router = createRouter({ submit, catalogue, token, settings, backend: 'wasm' });
  return createClient({ fetch: (request) => router.fetch(request), baseUrl: location.origin, token });
}

/** The value of an answer. @throws {Error} with the service's own words when it refused */
export async function valueOf<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  const given = await answer;
  if (given.ok) return given.value;
  const { status, code, message } = given.problem;
  throw new Error(`the service answered ${status} ${code}: ${message}`);
}
