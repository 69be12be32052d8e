import { type Client, createClient } from '../../src/client/client.ts';
import type { Model } from '../../src/models/model.ts';
import { createService } from '../../src/service/create-service.ts';

/** A client of a service on WebAssembly, whose one model `measured` is read from a folder when it is first used. */
export function measuredClient(
  model: Pick<Model, 'folder' | 'contextTokens' | 'capabilities'> & Partial<Pick<Model, 'dtype'>>,
): Client {
  const measured: Model = { dtype: 'fp32', ...model, name: 'measured', version: 'measured', description: '' };
  const service = createService({
    baseUrl: `${location.origin}/`,
    models: [measured],
    backend: 'wasm',
    preload: false,
  });
  return createClient(service);
}
