import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Answer, CallOptions, Client } from '../../../src/client/client.ts';
import { VERSION } from '../../../src/contract/description/version.ts';
import type { Progress } from '../../../src/contract/progress.ts';
import { openApiDocument } from '../../../src/contract/description/openapi.ts';

/**
 * A server of the Model Context Protocol: the tools of `createTools`. Progress is sent to callers who ask for it, and a request
 * that is cancelled ends its work.
 *
 * @source Model Context Protocol, revision 2025-06-18: tools, progress, cancellation
 */
export function createMcpServer(client: Client): Server {
  const tools = createTools();
  const server = new Server({ name: 'lightwell', version: VERSION }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const { name, arguments: given = {}, _meta: meta } = params;
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `expected ${namesOf(tools)}, got "${name}"`);
    const token = meta?.progressToken;
    const onProgress = createProgress((progress, total) => {
      if (token === undefined) return;
      const notice = { progressToken: token, progress, total };
      // A caller that has left gets none; the signal ends its work.
      sendNotification({ method: 'notifications/progress', params: notice }).catch(() => undefined);
    });
    return callTool(tool, given, client, { signal, ...(token !== undefined && { onProgress }) });
  });
  return server;
}

/** Answers a call: the operation's response, or its failure in words. */
async function callTool(
  { inputSchema, defaults, call }: Tool,
  given: Readonly<Record<string, unknown>>,
  client: Client,
  options: CallOptions,
): Promise<CallToolResult> {
  const body = { ...defaults, ...given };
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(inputSchema.properties, name));
  const missing = inputSchema.required.find((name) => !Object.hasOwn(body, name));
  if (unknown !== undefined) return refusal(`expected ${namesOf(inputSchema.properties)}, got "${unknown}"`);
  if (missing !== undefined) return refusal(`${missing}: expected a value, got none`);
  const answer = await call(client, body, options);
  if (!answer.ok) return refusal(`${answer.problem.code}: ${answer.problem.message}`);
  return { content: [{ type: 'text', text: JSON.stringify(answer.value) }], structuredContent: { ...answer.value } };
}

function refusal(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

function namesOf(table: object): string {
  return Object.keys(table).join(', ');
}

/** Passes on the progress of the work itself, which may only increase: that of downloads counts in another unit. */
function createProgress(send: (progress: number, total: number) => void): (progress: Progress) => void {
  let last = -1;
  return ({ phase, done, total }) => {
    if (phase !== 'run' || done <= last) return;
    last = done;
    send(done, total);
  };
}

/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;

/** The schema of a tool's arguments. */
interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: string[];
}

/** A tool that agents call. */
interface Tool {
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
function createTools(): Readonly<Record<string, Tool>> {
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

/** Prompts of one request. */
const BATCH = 100;

/** What `search_texts` takes; `readSearch` checks it. */
interface Search {
  readonly query: string;
  readonly texts: readonly string[];
  readonly max_results: number;
}

/** The texts that are closest to a query, best first. */
interface Found {
  /** `index` in the texts; `score` is the cosine of the two embeddings, −1 to 1. */
  readonly results: readonly { readonly index: number; readonly score: number; readonly text: string }[];
}

/** Ranks texts by their meaning: the cosine of the embedding of the query and those of the texts. */
async function searchTexts(
  client: Client,
  { query, texts, max_results: count }: Search,
  { signal, onProgress }: Pick<CallOptions, 'signal' | 'onProgress'>,
): Promise<Answer<Found>> {
  const options = signal && { signal };
  const asked = await client.semanticEmbed({ prompt: query, representation: 'query', normalize: true }, options);
  if (!asked.ok) return asked;
  const scores: number[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    const prompts = texts.slice(start, start + BATCH);
    const body = { prompts, representation: 'document', normalize: true } as const;
    const read = await client.batchSemanticEmbed(body, options);
    if (!read.ok) return read;
    scores.push(...read.value.embeddings.map((embedding) => dot(embedding, asked.value.embedding)));
    onProgress?.({ phase: 'run', done: scores.length, total: texts.length });
  }
  const ranked = scores.map((score, index) => ({ index, score, text: texts[index] ?? '' }));
  return { ok: true, value: { results: ranked.sort((a, b) => b.score - a.score).slice(0, count) } };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
