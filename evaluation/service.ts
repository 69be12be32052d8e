import { createClient, type Client } from '../src/client/client.ts';
import type { Model } from '../src/models/model.ts';
import { createService } from '../src/service/create-service.ts';
import type { Service } from '../src/service/service.ts';

/** Patience for a slow machine; no answer depends on it. */
const TIMEOUT_MS = 3_600_000;

/** A client of the whole app behind its router, on WebAssembly. */
export function createServiceClient(): Client {
  return createClient(createAppService());
}

/** A model that came as a folder, and a client of a service that has it. */
export interface OpenedFolder {
  readonly client: Client;
  readonly model: Model;
}

/** The same with a folder that somebody dropped. @param files  by their paths in it */
export async function openFolder(
  name: string,
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Promise<OpenedFolder> {
  const service = createAppService();
  const held = Object.fromEntries([...files].map(([path, bytes]) => [path, new Blob([bytes])]));
  return { client: createClient(service), model: await service.addFolder({ name, held }) };
}

function createAppService(): Service {
  const settings = { timeoutMs: TIMEOUT_MS };
  return createService({ baseUrl: `${location.origin}/`, backend: 'wasm', preload: false, settings });
}
