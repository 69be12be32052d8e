import type { Answer, CallOptions, Client } from './client.ts';

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

/** What an agent gets. @source Model Context Protocol, revision 2025-06-18, tool result */
type ToolResult = {
  readonly isError?: true;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
};

/** Calls a tool: the operation's response, or its failure in words. @throws {DOMException} AbortError */
export async function callTool(
  { inputSchema, defaults, call }: Tool,
  given: Readonly<Record<string, unknown>>,
  client: Client,
  options: CallOptions,
): Promise<ToolResult> {
  const body = { ...defaults, ...given };
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(inputSchema.properties, name));
  const missing = inputSchema.required.find((name) => !Object.hasOwn(body, name));
  if (unknown !== undefined) return refusal(`expected ${namesOf(inputSchema.properties)}, got "${unknown}"`);
  if (missing !== undefined) return refusal(`${missing}: expected a value, got none`);
  const answer = await call(client, body, options);
  if (!answer.ok) return refusal(`${answer.problem.code}: ${answer.problem.message}`);
  return { content: [{ type: 'text', text: JSON.stringify(answer.value) }], structuredContent: { ...answer.value } };
}

function refusal(text: string): ToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The names of a table, for a message. */
export function namesOf(table: object): string {
  return Object.keys(table).join(', ');
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
  search_texts: {
    path: '/rerank',
    description:
      'Orders documents by their relevance to a query, best first: the index of each, and the cosine of its embedding and that ' +
      'of the query.',
    fields: ['query', 'documents', 'top_n', 'model'],
    defaults: { model: 'lightwell-embed' },
    call: (client, body, options) => client.rerank(body, options),
  },
};

/** The tools by name, with schemas of an OpenAPI document of the contract. */
export function createTools(document: object): Readonly<Record<string, Tool>> {
  const entries = Object.entries(OPERATIONS).map(([name, { path, fields, defaults = {}, description, call }]) => {
    const inputSchema = schemaOf(document as Document, path, fields, Object.keys(defaults));
    return [name, { description, inputSchema, defaults, call: call as Tool['call'] }] as const;
  });
  return Object.fromEntries(entries);
}

/** The part of the OpenAPI document that is read here. */
interface Document {
  readonly paths: Readonly<
    Record<string, { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

/** The schema of some fields of an operation's body; what it refers to comes along, because a tool has no other document. */
function schemaOf(
  { paths, components }: Document,
  path: string,
  fields: readonly string[],
  optional: readonly string[],
): ObjectSchema {
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

function collectNames(schema: unknown, schemas: Document['components']['schemas'], names: Set<string>): void {
  for (const [, reference = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) {
    const name = nameIn(reference);
    if (names.has(name)) continue;
    names.add(name);
    collectNames(schemas[name], schemas, names);
  }
}
