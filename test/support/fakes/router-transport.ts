import type { PrepareJob } from '../../../src/protocol/model-job.ts';
import { openApiDocument } from '../../../src/contract/description/openapi.ts';
import { createDescribed, type OpenApi } from '../../conformance/rows/described.ts';
import { receivedFrom, type Sent, type Transport } from '../../conformance/transport/transport.ts';
import { createFakeEmbedder } from './fake-embedder.ts';
import { createFakeModel } from './fake-model.ts';
import { createFakeReader } from './fake-reader.ts';
import { createPage, TOKEN } from './page.ts';

/** The router by itself as a transport, over models whose answers can be computed by hand, and its own description. */
export function routerTransport() {
  const generation = { config: {}, marks: {}, chatTemplate: '{{ messages[-1].content }}' };
  const base = { ...createFakeModel({ readsImages: true }), generation };
  const models = new Map([
    ['lightwell-embed', createFakeEmbedder({ width: 5120 })],
    ['lightwell-reader', createFakeReader()],
  ]);
  const provide = async ({ model: { name } }: PrepareJob) => {
    const model = models.get(name) ?? base;
    model.runs.length = 0; // kept for tests that look at them; ten thousand requests would fill the memory
    return model;
  };
  const { router } = createPage({ provide, timeoutMs: 30_000 });
  const send = async ({ path, ...init }: Sent) => receivedFrom(await router.fetch(path, init));
  const transport: Transport = { token: TOKEN, send };
  // Through JSON, as a client reads it.
  const document = JSON.parse(JSON.stringify(openApiDocument())) as OpenApi;
  return { transport, described: createDescribed(document) };
}
