import { TEMPLATE } from '../../conformance/openai/calls.ts';
import { startServer } from '../../../server/serve.ts';
import { createResponder } from '../../../src/bridge/responder.ts';
import { embeddedModels } from '../../../src/models/catalogue.ts';
import type { PrepareJob } from '../../../src/protocol/model-job.ts';
import type { Service } from '../../../src/service/service.ts';
import { createFakeEmbedder } from './fake-embedder.ts';
import { createFakeModel } from './fake-model.ts';
import { openSocket, PRESENCE, TOKEN } from './fake-tab.ts';
import { createPage } from './page.ts';

/**
 * A page whose first model answers dialogues, and whose embedder has 5120 dimensions.
 *
 * @param ends  ids that end an answer
 */
export function openAiPage({ contextTokens = 1024, ends = [] as readonly number[] } = {}): Service {
  const generation = { config: { eos_token_id: ends }, marks: {}, chatTemplate: TEMPLATE };
  const base = { ...createFakeModel({ contextTokens, readsImages: true }), generation };
  const models = embeddedModels('http://localhost/models/').map((model) =>
    model.name === 'lightwell-base'
      ? { ...model, contextTokens, capabilities: model.capabilities.concat('chat') }
      : model,
  );
  const embedder = createFakeEmbedder({ width: 5120 });
  const provide = async ({ model: { name } }: PrepareJob) => (name === 'lightwell-embed' ? embedder : base);
  return createPage({ models, provide, token: TOKEN }).router;
}

/** A local server that a page answers for, over a WebSocket as in a browser. */
export async function serveBridged(page: Service) {
  const server = await startServer({ port: 0 });
  const socket = await openSocket(server.url);
  const responder = createResponder(page, page.baseUrl, {
    post: (frame) => socket.send(JSON.stringify(frame)),
    cut: () => socket.close(),
  });
  socket.on('message', (data) => responder.receive(JSON.parse(String(data))));
  socket.send(JSON.stringify(PRESENCE));
  await new Promise((resolve) => {
    socket.once('pong', resolve);
    socket.ping(); // answered after all that was sent before
  });
  return {
    url: server.url,
    token: TOKEN,
    async close() {
      responder.dispose();
      socket.close();
      await server.close();
    },
  };
}
