import { z } from '../wire/zod.ts';
import { STATUS } from '../failure.ts';
import { ModelsAvailableResponse, ModelSettingsResponse } from '../models.ts';
import { EVENTS_TYPE, STREAM_TYPE } from '../wire/stream.ts';
import { Progress } from '../progress.ts';
import { isOpenAiPath } from '../failure-body.ts';
import { OpenAiError, OpenAiModel, OpenAiModels } from '../openai.ts';
import { ErrorBody } from '../prompt.ts';
import { OPENAI_DOCS, OPERATION_DOCS, type OperationDoc } from './operation-docs.ts';
import { VERSION } from './version.ts';

/** A JSON schema, as OpenAPI 3.1 uses them. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document, made once from the schemas that the router validates with; named ones are components. */
export function openApiDocument(): object {
  return (made ??= describe());
}

let made: object | undefined;

function describe(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lightwell',
      version: VERSION,
      description: 'Embedding, explanation and answers, inside the browser. Spans count Unicode code points.',
    },
    security: [{ bearer: [] }],
    paths: {
      ...Object.fromEntries(Object.values(OPERATION_DOCS).map((each) => [each.path, post(each)])),
      ...Object.fromEntries(Object.values(OPENAI_DOCS).map((each) => [each.path, post(each)])),
      ...Object.fromEntries(gets().map(([path, summary, content, more]) => [path, get(path, summary, content, more)])),
    },
    components: { schemas: componentSchemas(), securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

/** Schemas of a body, by media type. */
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

function post({ path, summary, request, response, event, deprecated }: OperationDoc): object {
  const requestBody = { required: true, content: json(request) };
  const events = event && {
    [EVENTS_TYPE]: { schema: { description: 'Schema of the data of one event.', ...referenceTo(event) } },
  };
  const content = { ...json(response), ...lines(response), ...events };
  const parameters = response === OPERATION_DOCS.explain.response ? [nice, budget] : [nice];
  return {
    post: { summary, ...(deprecated && { deprecated }), parameters, requestBody, responses: responses(path, content) },
  };
}

function get(path: string, summary: string, content: Content, more: object = {}): object {
  return { get: { summary, ...more, responses: responses(path, content) } };
}

function gets(): readonly (readonly [path: string, summary: string, content: Content, more?: object])[] {
  return [
    ['/model-settings', 'Lists the models.', json(ModelSettingsResponse)],
    ['/models_available', 'Lists the models for older clients.', json(ModelsAvailableResponse)],
    [
      '/models/{model}/tokenizer',
      "The model's `tokenizer.json`.",
      { 'application/json': { schema: { type: 'object' } } },
      { parameters: [modelName] },
    ],
    ['/v1/models', "Lists the models for OpenAI's clients.", json(OpenAiModels)],
    ['/v1/models/{model}', 'One of these models.', json(OpenAiModel), { parameters: [modelName] }],
    ['/version', 'The version of this app.', { 'text/plain': { schema: { type: 'string' } } }],
    ['/openapi.json', 'This document.', { 'application/json': { schema: { type: 'object' } } }, { security: [] }],
  ];
}

const modelName = { name: 'model', in: 'path', required: true, schema: { type: 'string' } };

const nice = {
  name: 'nice',
  in: 'query',
  description: 'true: every other request goes first.',
  schema: { type: 'boolean' },
};

const budget = {
  name: 'budget',
  in: 'query',
  description:
    "Lightwell's own: share of the cost of exact scores that may be spent; other scores are estimates with margins.",
  schema: { oneOf: [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, { const: 'auto' }] },
};

/** Every status a failure can have, each with the error body. */
function responses(path: string, content: Content): object {
  const failure = { description: 'Failure', content: json(isOpenAiPath(path) ? OpenAiError : ErrorBody) };
  const failures = [...new Set(Object.values(STATUS))].map((status) => [status, failure]);
  return { 200: { description: 'Success', content }, ...Object.fromEntries(failures) };
}

function json(schema: z.ZodType): Content {
  return { 'application/json': { schema: referenceTo(schema) } };
}

/** An answer as lines, for callers who ask for them: any number of `progress`, then a `response` or a `failure`. */
function lines(response: z.ZodType): Content {
  const failure = {
    type: 'object',
    properties: { status: { type: 'integer' }, error: { type: 'string' }, code: { type: 'string' } },
    required: ['status', 'error', 'code'],
  };
  const schemas = { progress: referenceTo(Progress), response: referenceTo(response), failure };
  const oneOf = Object.entries(schemas).map(([name, schema]) => ({
    type: 'object',
    properties: { [name]: schema },
    required: [name],
    additionalProperties: false,
  }));
  return { [STREAM_TYPE]: { schema: { description: 'Schema of one line.', oneOf } } };
}

const COMPONENTS = '#/components/schemas/';

/** All schemas with an id, as components; those of requests allow fields that are not known, as the service does. */
function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: 'input', uri: (id) => COMPONENTS + id });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

/** @throws {RangeError} for a schema without an id: the document would lack it */
function referenceTo(schema: z.ZodType): JsonSchema {
  const id = schema.meta()?.id;
  if (id === undefined) throw new RangeError('expected a schema with an id, got one without');
  return { $ref: COMPONENTS + id };
}
