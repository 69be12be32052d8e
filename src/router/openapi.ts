import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { EmbedRequest, EmbedResponse } from '../contract/embed.ts';
import { ExplainRequest, ExplainResponse } from '../contract/explain.ts';
import { STATUS } from '../contract/failure.ts';
import { ModelSettingsResponse } from '../contract/model-settings.ts';
import { ErrorBody, NiceQuery } from '../contract/request.ts';

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

/** Every status a failure can have, each with the error body. */
const failures = Object.fromEntries(
  [...new Set(Object.values(STATUS))].map((status) => [status, { description: 'Failure', ...json(ErrorBody) }]),
);

const security = [{ bearer: [] }];

/** Registers what the router answers, from the schemas that it validates with. */
export function describeOperations(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  const operation = (path: string, summary: string, request: z.ZodType, response: z.ZodType) =>
    registry.registerPath({
      method: 'post',
      path,
      summary,
      security,
      request: { query: NiceQuery, body: { required: true, ...json(request) } },
      responses: { 200: { description: 'Success', ...json(response) }, ...failures },
    });
  operation('/embed', 'Embeds one prompt.', EmbedRequest, EmbedResponse);
  operation('/explain', 'Explains how prompt sections influence a target.', ExplainRequest, ExplainResponse);
  registry.registerPath({
    method: 'get',
    path: '/model-settings',
    summary: 'Lists the models.',
    security,
    responses: { 200: { description: 'Success', ...json(ModelSettingsResponse) }, ...failures },
  });
}

/** Head of the document at `/openapi.json`. */
export const openApiHead = {
  openapi: '3.1.0',
  info: {
    title: 'Lightwell',
    version: '0.1.0',
    description: 'Embedding and explanation, answered inside the browser. Spans count Unicode code points.',
  },
};
