import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Connection } from './client.ts';

/**
 * A provider for the AI SDK: `lightwell('NAME')` is a model with a chat template, `lightwell.completionModel('NAME')` any model that
 * writes, `lightwell.embeddingModel('NAME')` one for semantic embeddings. `@ai-sdk/openai-compatible` must be installed.
 *
 * @param connection  a service, or a server with its token; the token is read at each request
 */
export function createLightwell(connection: Connection) {
  return createOpenAICompatible({
    name: 'lightwell',
    baseURL: `${connection.baseUrl}/v1`,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch(input, init) {
      const request = new Request(input, init);
      request.headers.set('Authorization', `Bearer ${connection.token}`);
      return connection.fetch(request);
    },
  });
}
