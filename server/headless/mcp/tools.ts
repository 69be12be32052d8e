import type { Answer, CallOptions, Client } from '../../../src/client/client.ts';
import { openApiDocument } from '../../../src/contract/description/openapi.ts';
import { type Search, searchTexts } from './search-texts.ts';

/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;

/** The schema of a tool's arguments. */
interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: string[];
}

/** A tool that agents call. */
export interface Tool {
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** For arguments that are left out. */
  readonly defaults: Schema;
  /** @param body  the arguments with the defaults; what they hold is checked by the service */
  call(client: Client, body: Schema, options: CallOptions): Promise<Answer<object>>;
}

/** An operation of the contract as a tool: some of its fields, with their schemas in the OpenAPI document. */
interface OperationTool {
  readonly path: string;
  readonly description: string;
  readonly fields: readonly string[];
  readonly defaults?: Schema;
  readonly call: (client: Client, body: never, options: CallOptions) => Promise<Answer<object>>;
}

const OPERATIONS: Readonly<Record<string, OperationTool>> = {
  explain: {
    path: '/explain',
    description:
      'Explains which parts of a prompt lead the language model to a target text: a score in nats for each part, positive ' +
      'where it supports the target. start and length count characters of the prompt.',
    fields: ['prompt', 'target', 'prompt_granularity', 'model'],
    defaults: { model: 'lightwell-base', prompt_granularity: { type: 'word' } },
    call: (client, body, options) => client.explain(body, options),
  },
  evaluate: {
    path: '/evaluate',
    description: 'How likely the language model holds a completion of a prompt: its log probability in nats.',
    fields: ['prompt', 'completion_expected', 'model'],
    defaults: { model: 'lightwell-base' },
    call: (client, body, options) => client.evaluate(body, options),
  },
  ask_documents: {
    path: '/qa',
    description:
      'Answers a question from documents. Each answer has a score and the passage that it was found in, quoted verbatim.',
    fields: ['query', 'documents', 'max_answers', 'model'],
    defaults: { max_answers: 5 },
    call: (client, body, options) => client.qa(body, options),
  },
  embed: {
    path: '/semantic_embed',
    description: 'Embeds a text for comparing it with others by the cosine of their embeddings.',
    fields: ['prompt', 'representation', 'compress_to_size', 'normalize', 'model'],
    defaults: { representation: 'symmetric' },
    call: (client, body, options) => client.semanticEmbed(body, options),
  },
};

const SEARCH: Tool = {
  description:
    'Finds the texts that are closest in meaning to a query, best first, with the cosine of their embeddings.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1 },
      texts: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10_000 },
      max_results: { type: 'integer', minimum: 1 },
    },
    required: ['query', 'texts'],
    additionalProperties: false,
  },
  defaults: { max_results: 10 },
  call: (client, body, options) => searchTexts(client, body as unknown as Search, options),
};

/** The tools by name; those that are operations of the contract have the schemas of its OpenAPI document. */
export function createTools(): Readonly<Record<string, Tool>> {
  const entries = Object.entries(OPERATIONS).map(([name, { path, fields, defaults = {}, description, call }]) => {
    const inputSchema = schemaOf(path, fields, Object.keys(defaults));
    return [name, { description, inputSchema, defaults, call: call as Tool['call'] }] as const;
  });
  return { ...Object.fromEntries(entries), search_texts: SEARCH };
}

/** The part of the OpenAPI document that is read here. */
interface Document {
  readonly paths: Readonly<
    Record<string, { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

/** The schema of some fields of an operation's body; what it refers to comes along, because a tool has no other document. */
function schemaOf(path: string, fields: readonly string[], optional: readonly string[]): ObjectSchema {
  const { paths, components } = openApiDocument() as Document;
  const reference = paths[path]?.post.requestBody.content['application/json'].schema.$ref;
  const body = components.schemas[nameIn(reference ?? '')];
  if (body === undefined) throw new Error(`${path}: expected an operation of the OpenAPI document, got none`);
  const properties = Object.fromEntries(Object.entries(body.properties).filter(([name]) => fields.includes(name)));
  const required = body.required.filter((name) => fields.includes(name) && !optional.includes(name));
  const schema = { type: 'object', properties, required, additionalProperties: false } as const;
  const names = new Set<string>();
  collectNames(schema, components.schemas, names);
  const $defs = Object.fromEntries(Array.from(names, (name) => [name, components.schemas[name]]));
  return JSON.parse(JSON.stringify({ ...schema, $defs }).replaceAll(COMPONENTS, '#/$defs/')) as ObjectSchema;
}

const COMPONENTS = '#/components/schemas/';

function nameIn(reference: string): string {
  return reference.slice(COMPONENTS.length);
}

/** Collects the names of all components that a schema refers to, directly or through others. */
function collectNames(schema: unknown, schemas: Document['components']['schemas'], names: Set<string>): void {
  for (const [, reference = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) {
    const name = nameIn(reference);
    if (names.has(name)) continue;
    names.add(name);
    collectNames(schemas[name], schemas, names);
  }
}
