import { z } from 'zod';
import { EmbedRequest, EmbedResponse } from '../contract/embed.ts';
import { ExplainRequest, ExplainResponse } from '../contract/explain.ts';
import { STATUS } from '../contract/failure.ts';
import { ModelSettingsResponse } from '../contract/model-settings.ts';
import { ErrorBody } from '../contract/request.ts';

/** A JSON schema, as OpenAPI 3.1 uses them. */
type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI 3.1 document of what the router answers, from the very schemas that it validates with. Schemas with an id
 * become components that others refer to.
 */
export function openApiDocument(): object {
  const post = (summary: string, request: z.ZodType, response: z.ZodType) => ({
    post: {
      summary,
      parameters: [nice],
      requestBody: { required: true, ...json(request) },
      responses: responses(response),
    },
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lightwell',
      version: '0.1.0',
      description: 'Embedding and explanation, answered inside the browser. Spans count Unicode code points.',
    },
    security: [{ bearer: [] }],
    paths: {
      '/embed': post('Embeds one prompt.', EmbedRequest, EmbedResponse),
      '/explain': post('Explains how prompt sections influence a target.', ExplainRequest, ExplainResponse),
      '/model-settings': { get: { summary: 'Lists the models.', responses: responses(ModelSettingsResponse) } },
    },
    components: { schemas: componentSchemas(), securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

const nice = {
  name: 'nice',
  in: 'query',
  description: 'true: every other request goes first.',
  schema: { type: 'boolean' },
};

/** Every status a failure can have, each with the error body. */
function responses(success: z.ZodType): object {
  const failure = { description: 'Failure', ...json(ErrorBody) };
  const failures = [...new Set(Object.values(STATUS))].map((status) => [status, failure]);
  return { 200: { description: 'Success', ...json(success) }, ...Object.fromEntries(failures) };
}

function json(schema: z.ZodType): object {
  return { content: { 'application/json': { schema: referenceTo(schema) } } };
}

/** All schemas with an id, as components; those of requests allow fields that are not known, as the service does. */
function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: 'input', uri: reference });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

function reference(id: string): string {
  return `#/components/schemas/${id}`;
}

/** @throws {RangeError} for a schema without an id: the document would lack it */
function referenceTo(schema: z.ZodType): JsonSchema {
  const id = schema.meta()?.id;
  if (id === undefined) throw new RangeError('expected a schema with an id, got one without');
  return { $ref: reference(id) };
}
