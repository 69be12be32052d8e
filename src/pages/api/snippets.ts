import { prettyJson } from '../../parts/folded-json.ts';
import type { ApiState, OperationName } from './api-store.ts';
import { addsByDefault } from '../../client/ask-defaults.ts';
import type { Client } from '../../client/client.ts';
import { EXAMPLES } from '../../explanations/examples.ts';

/**
 * Address of the API of the service worker and the local server: `api` in the folder of the page.
 *
 * @param page  the page's address, such as `https://host.example/tools/lightwell/index.html#/api`
 * @returns     without a trailing slash, such as `https://host.example/tools/lightwell/api`
 */
export function apiUrl(page: string): URL {
  return new URL('api', page);
}

interface SnippetRequest {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST';
  /** Null for an operation without a body. */
  readonly body: string | null;
  /** Such as `http://localhost:4173/api`. */
  readonly baseUrl: string;
  readonly token: string;
}

/** The request as code that runs without changes, by language in the order of the menu; `client` is the Python client. */
export const SNIPPETS = { curl: curlOf, javascript: javascriptOf, python: requestsOf, client: clientOf };

function curlOf({ name, body, baseUrl, token }: SnippetRequest): string {
  const lines = [`curl ${shellText(`${baseUrl}/${name}`)}`, `-H ${shellText(`Authorization: Bearer ${token}`)}`];
  if (body !== null) lines.push(`-H 'Content-Type: application/json'`, `--data-raw ${shellText(pretty(body))}`);
  return lines.join(' \\\n  ');
}

/** Within single quotes a shell changes nothing but the quote itself. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function javascriptOf({ name, method, body, baseUrl, token }: SnippetRequest): string {
  const json = body === null ? '' : `\n  body: JSON.stringify(${pretty(body).replaceAll('\n', '\n  ')}),`;
  const type = body === null ? '' : `, 'Content-Type': 'application/json'`;
  return `const response = await fetch('${baseUrl}/${name}', {
  method: '${method}',
  headers: { Authorization: 'Bearer ${token}'${type} },${json}
});
console.log(response.status, await response.${name === 'version' ? 'text' : 'json'}());`;
}

function requestsOf({ name, method, body, baseUrl, token }: SnippetRequest): string {
  const json = body === null ? '' : `\n    json=${parsedOr(body, (value) => pythonOf(value, '    '))},`;
  return `import requests

response = requests.${method.toLowerCase()}(
    "${baseUrl}/${name}",
    headers={"Authorization": "Bearer ${token}"},${json}
)
print(response.status_code, response.${name === 'version' ? 'text' : 'json()'})`;
}

function clientOf({ name, body, baseUrl, token }: SnippetRequest): string {
  const { imports, lines, note, moreImports } = clientCall(
    name,
    parsedOr<unknown>(body ?? 'null', (value) => value) ?? {},
  );
  const client = `client = Client(token="${token}", host="${baseUrl}")`;
  const head = note ? `# ${note}\n` : '';
  const more = moreImports ? `${moreImports}\n` : '';
  return `${head}from aleph_alpha_client import ${['Client', ...imports].join(', ')}\n${more}\n${client}\n${lines}`;
}

/** A body that is not valid JSON is shown as it is. */
function parsedOr<Value>(body: string, use: (value: unknown) => Value): Value | string {
  try {
    return use(JSON.parse(body));
  } catch {
    return body;
  }
}

function pretty(body: string): string {
  return parsedOr(body, prettyJson);
}

interface ClientCall {
  /** Names to import in addition to `Client`. */
  readonly imports: readonly string[];
  readonly lines: string;
  /** An import from another module of the client. */
  readonly moreImports?: string;
  /** A comment on the version of the client. */
  readonly note?: string;
}

/** Classes of the requests whose method has the name of the operation. */
const REQUEST_TYPES: Readonly<Partial<Record<OperationName, string>>> = {
  explain: 'ExplanationRequest',
  complete: 'CompletionRequest',
  evaluate: 'EvaluationRequest',
  semantic_embed: 'SemanticEmbeddingRequest',
  batch_semantic_embed: 'BatchSemanticEmbeddingRequest',
  tokenize: 'TokenizationRequest',
  detokenize: 'DetokenizationRequest',
  embeddings: 'EmbeddingV2Request',
  rerank: 'RerankRequest',
};

/** The call of an operation. The client builds its requests from objects. */
function clientCall(name: OperationName, body: unknown): ClientCall {
  const fields: Fields = typeof body === 'object' && body !== null ? { ...body } : {};
  const type = REQUEST_TYPES[name];
  if (type !== undefined) return call(name, type, fields);
  switch (name) {
    case 'embed':
      return call(name, 'EmbeddingRequest', { layers: [-1], pooling: ['mean'], ...fields });
    case 'chat/completions':
      return {
        ...call('chat', 'ChatRequest', fields, { hasModel: true }),
        imports: [],
        moreImports: 'from aleph_alpha_client.chat import ChatRequest, Message, Role',
      };
    case 'instructable_embed': {
      const { input, ...others } = fields;
      const made = call(name, 'InstructableEmbeddingRequest', { ...others, prompt: input });
      return {
        lines: made.lines.replace('prompt=', 'input='),
        imports: ['Prompt'],
        moreImports: 'from aleph_alpha_client.embedding import InstructableEmbeddingRequest',
      };
    }
    case 'steering_concepts':
      return {
        ...call('create_steering_concept', 'SteeringConceptCreationRequest', { examples: fields['examples'] }),
        imports: [],
        moreImports: 'from aleph_alpha_client.steering import SteeringConceptCreationRequest, SteeringPairedExample',
        note: 'The client names no model: the default one makes the concept.',
      };
    case 'qa':
      return {
        ...call(name, 'QaRequest', fields),
        note: 'Up to version 8 of the client: pip install "aleph-alpha-client<9"',
      };
    case 'version':
      return { imports: [], lines: 'print(client.get_version())' };
    case 'models_available':
      return { imports: [], lines: 'print(client.models())' };
    default:
      return {
        imports: [],
        lines: 'print(client.models())',
        note: 'The client has no call for this; the nearest one:',
      };
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** @param hasModel  whether the request object has the model too */
function call(
  method: string,
  type: string,
  { hosting: _hosting, ...body }: Fields,
  { hasModel = false } = {},
): ClientCall {
  const { model, ...fields } = body;
  const args = Object.entries(hasModel ? body : fields).map(([name, value]) => ({
    name,
    ...(objectOf(name, value) ?? { source: pythonOf(value, '    ') }),
  }));
  const imports = [type, ...new Set(args.flatMap((arg) => arg.imports ?? []))];
  const of = typeof model === 'string' ? `, model=${pythonOf(model)}` : '';
  const lines = args.map(({ name, source }) => `    ${name}=${source},\n`).join('');
  return { imports, lines: `request = ${type}(\n${lines})\nprint(client.${method}(request${of}))` };
}

interface Source {
  readonly source: string;
  readonly imports?: readonly string[];
}

function objectOf(name: string, value: unknown): Source | null {
  switch (name) {
    case 'prompt':
      return { source: promptOf(value), imports: ['Prompt'] };
    case 'prompts':
      return { source: listOf(value, promptOf), imports: ['Prompt'] };
    case 'messages':
      return { source: listOf(value, messageOf) };
    case 'examples':
      return { source: listOf(value, (pair) => `SteeringPairedExample(**${pythonOf(pair, '        ')})`) };
    case 'documents':
      if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return null; // of `rerank`
      return { source: listOf(value, documentOf), imports: ['Document'] };
    case 'postprocessing':
      return value === 'none' ? { source: 'None' } : member('ExplanationPostprocessing', value);
    case 'prompt_granularity':
      return granularity(value);
    default:
      return member(ENUMERATIONS.get(name), value);
  }
}

const ENUMERATIONS = new Map([
  ['representation', 'SemanticRepresentation'],
  ['target_granularity', 'TargetGranularity'],
  ['control_token_overlap', 'ControlTokenOverlap'],
]);

/** A member of an enumeration, such as `Symmetric` for `symmetric`. */
function member(type: string | undefined, value: unknown): Source | null {
  if (type === undefined || typeof value !== 'string' || value === '') return null;
  return { source: `${type}.${value.charAt(0).toUpperCase()}${value.slice(1)}`, imports: [type] };
}

function granularity(value: unknown): Source | null {
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  if (value.type !== 'custom') return member('PromptGranularity', value.type);
  const delimiter = 'delimiter' in value ? value.delimiter : '';
  return { source: `CustomGranularity(${pythonOf(delimiter)})`, imports: ['CustomGranularity'] };
}

function promptOf(value: unknown): string {
  return typeof value === 'string'
    ? `Prompt.from_text(${pythonOf(value)})`
    : `Prompt.from_json(${pythonOf(value, '    ')})`;
}

function documentOf(value: unknown): string {
  const hasText = typeof value === 'object' && value !== null && 'text' in value;
  return hasText ? `Document.from_text(${pythonOf(value.text)})` : `Document(**${pythonOf(value, '        ')})`;
}

function messageOf(value: unknown): string {
  const { role, content }: Fields = typeof value === 'object' && value !== null ? { ...value } : {};
  const named = member('Role', role)?.source ?? pythonOf(role);
  return `Message(role=${named}, content=${pythonOf(content)})`;
}

function listOf(value: unknown, sourceOf: (item: unknown) => string): string {
  if (!Array.isArray(value)) return pythonOf(value, '    ');
  return `[\n${value.map((item) => `        ${sourceOf(item)},\n`).join('')}    ]`;
}

/** A JSON value as Python source, indented by four, on one line where it fits. */
function pythonOf(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (line.length + indent.length <= 88) return line;
  const inner = `${indent}    `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => `${inner}${pythonOf(item, inner)},\n`).join('')}${indent}]`;
  if (typeof value !== 'object' || value === null) return line;
  const fields = Object.entries(value).map(
    ([key, field]) => `${inner}${pythonText(key)}: ${pythonOf(field, inner)},\n`,
  );
  return `{\n${fields.join('')}${indent}}`;
}

function onOneLine(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return pythonText(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, field]) => `${pythonText(key)}: ${onOneLine(field)}`)
    .join(', ')}}`;
}

/** Escapes of JSON mean the same in Python, except surrogate pairs, which `JSON.stringify` does not escape. */
function pythonText(value: string): string {
  return JSON.stringify(value);
}

interface ApiOperation {
  readonly method: 'GET' | 'POST';
  /** null for an operation without a body. */
  readonly example: object | null;
}

type Body<Name extends Exclude<keyof Client, 'modelSettings'>> = Parameters<Client[Name]>[0];

const TEXTS = ['Wolves live in packs.', 'A pack of wolves hunts together.', 'The train leaves at nine.'] as const;

const PAIRS = [{ positive: 'Our guide was excellent.', negative: 'Our guide was terrible.' }];
const TOPIC = { type: 'json_schema', json_schema: { name: 'topic', schema: { enum: ['animals', 'trains'] } } };

const EMBEDDER = 'lightwell-embed';

const [{ prompt, target }] = EXAMPLES;

/** Every operation, with an example for this model. @param factor  on the attention to a section, as the Explain page asks */
export function operationsFor(model: string, factor: number): Readonly<Record<OperationName, ApiOperation>> {
  const post = <Body extends object>(example: Body): ApiOperation => ({ method: 'POST', example });
  const get: ApiOperation = { method: 'GET', example: null };
  const messages = [{ role: 'user' as const, content: TEXTS[0] }];
  const documents = [{ text: 'Andreas likes pizza. Marta likes soup.' }];
  return {
    explain: post<Body<'explain'>>({
      model,
      prompt,
      target,
      prompt_granularity: { type: 'word' },
      control_factor: factor,
      control_log_additive: addsByDefault(factor),
    }),
    complete: post<Body<'complete'>>({ model, prompt, maximum_tokens: 16, stop_sequences: ['\n'] }),
    'complete/json': post({ model, prompt: TEXTS[0], maximum_tokens: 64, response_format: TOPIC }),
    'chat/completions': post<Body<'chat'>>({ model, messages, maximum_tokens: 16 }),
    evaluate: post<Body<'evaluate'>>({ model, prompt, completion_expected: target }),
    predict: post<Body<'predict'>>({ model, prompt, target }),
    lens: post<Body<'lens'>>({ model, prompt, target }),
    embed: post<Body<'embed'>>({ model, prompt: 'An apple a day', layers: [-1], pooling: ['mean'], tokens: true }),
    semantic_embed: post<Body<'semanticEmbed'>>({
      prompt: TEXTS[0],
      representation: 'symmetric',
      compress_to_size: 128,
    }),
    batch_semantic_embed: post<Body<'batchSemanticEmbed'>>({
      prompts: [...TEXTS],
      representation: 'symmetric',
      compress_to_size: 128,
    }),
    instructable_embed: post({ model: EMBEDDER, input: TEXTS[0], instruction: 'Sort by animal.' }),
    embeddings: post({ model: EMBEDDER, input: [...TEXTS], dimensions: 128 }),
    rerank: post<Body<'rerank'>>({ model: EMBEDDER, query: 'How do wolves hunt?', documents: [...TEXTS] }),
    tokenize: post({ model, prompt: TEXTS[0], tokens: true, token_ids: true }),
    detokenize: post({ model, token_ids: [300, 12, 45] }),
    steering_concepts: post<Body<'steeringConcepts'>>({ model, examples: PAIRS }),
    qa: post<Body<'qa'>>({ query: 'Who likes pizza?', documents }),
    'model-settings': get,
    models_available: get,
    version: get,
    'openapi.json': get,
  };
}

/** The chosen operation as a request; its body as edited, null if it has none. */
export function apiRequestOf(api: Omit<ApiState, 'phase'>): Parameters<ApiState['send']>[0] {
  const { method, example } = operationsFor(api.model, api.factor())[api.operation];
  const body = api.bodies[api.operation];
  return { method, path: `/${api.operation}`, body: example && (body ?? prettyJson(example)) };
}
