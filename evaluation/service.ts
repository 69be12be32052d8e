import { createClient, type Answer, type Client } from '../src/client/client.ts';
import { createService } from '../src/service/create-service.ts';

/** Patience for a slow machine; no answer depends on it. */
const TIMEOUT_MS = 3_600_000;

/** A client of the whole app behind its router, on WebAssembly. */
export function createServiceClient(): Client {
  const settings = { timeoutMs: TIMEOUT_MS };
  return createClient(createService({ baseUrl: `${location.origin}/`, backend: 'wasm', preload: false, settings }));
}

/** The value of an answer. @throws {Error} with the service's own words when it refused */
export async function valueOf<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  const given = await answer;
  if (given.ok) return given.value;
  const { status, code, message } = given.problem;
  throw new Error(`the service answered ${status} ${code}: ${message}`);
}
