import type { OperationName } from './api-store.ts';

/** A call with the service's own Python client. */
export interface ClientCall {
  /** Names to import beside `Client`. */
  readonly imports: readonly string[];
  readonly lines: string;
  /** Imports from other places of the client, a line each. */
  readonly moreImports?: string;
  /** What to know about the client's version. */
  readonly note?: string;
}

/** How each operation is called. The client builds its requests of objects, of which these are the source. */
export function clientCall(name: OperationName, body: unknown): ClientCall {
  const fields: Fields = typeof body === 'object' && body !== null ? { ...body } : {};
  switch (name) {
    case 'embed':
      return call('embed', 'EmbeddingRequest', { layers: [-1], pooling: ['mean'], ...fields });
    case 'explain':
      return call('explain', 'ExplanationRequest', fields);
    case 'complete':
      return call('complete', 'CompletionRequest', fields);
    case 'chat/completions':
      return {
        ...call('chat', 'ChatRequest', fields, ['model']),
        imports: [],
        moreImports: 'from aleph_alpha_client.chat import ChatRequest, Message, Role',
      };
    case 'evaluate':
      return call('evaluate', 'EvaluationRequest', fields);
    case 'semantic_embed':
      return call('semantic_embed', 'SemanticEmbeddingRequest', fields);
    case 'batch_semantic_embed':
      return call('batch_semantic_embed', 'BatchSemanticEmbeddingRequest', fields);
    case 'qa':
      return {
        ...call('qa', 'QaRequest', fields),
        note: 'Up to version 8 of the client: pip install "aleph-alpha-client<9"',
      };
    case 'models_available':
      return { imports: [], lines: 'print(client.models())' };
    case 'version':
      return { imports: [], lines: 'print(client.get_version())' };
    default:
      return {
        imports: [],
        lines: 'print(client.models())',
        note: 'The client has no call for this; the nearest one:',
      };
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** @param repeated  fields of the request that stand in the call, too */
function call(
  method: string,
  type: string,
  { hosting: _hosting, ...body }: Fields,
  repeated: readonly string[] = [],
): ClientCall {
  const { model, ...fields } = body;
  const given = repeated.includes('model') ? body : fields;
  const args = Object.entries(given).map(([name, value]) => argumentOf(name, value));
  const imports = [type, ...new Set(args.flatMap((each) => each.imports))];
  const of = typeof model === 'string' ? `, model=${pythonOf(model)}` : '';
  const written = args.map(({ source }) => `    ${source},\n`).join('');
  return { imports, lines: `request = ${type}(\n${written})\nprint(client.${method}(request${of}))` };
}

interface Argument {
  readonly source: string;
  readonly imports: readonly string[];
}

function argumentOf(name: string, value: unknown): Argument {
  const { source, imports = [] } = written(name, value) ?? { source: pythonOf(value, '    ') };
  return { source: `${name}=${source}`, imports };
}

interface Written {
  readonly source: string;
  readonly imports?: readonly string[];
}

/** Fields that the client wants as objects of its own; null for one that is plain. */
function written(name: string, value: unknown): Written | null {
  switch (name) {
    case 'prompt':
      return { source: promptOf(value), imports: ['Prompt'] };
    case 'prompts':
      return { source: listOf(value, promptOf), imports: ['Prompt'] };
    case 'messages':
      return { source: listOf(value, messageOf) };
    case 'documents':
      return { source: listOf(value, documentOf), imports: ['Document'] };
    case 'representation':
      return member('SemanticRepresentation', value);
    case 'target_granularity':
      return member('TargetGranularity', value);
    case 'postprocessing':
      return value === 'none' ? { source: 'None' } : member('ExplanationPostprocessing', value);
    case 'control_token_overlap':
      return member('ControlTokenOverlap', value);
    case 'prompt_granularity':
      return granularity(value);
    default:
      return null;
  }
}

/** `Symmetric` for `symmetric`: the client's enumerations are named so. */
function member(type: string, value: unknown): Written | null {
  if (typeof value !== 'string' || value === '') return null;
  return { source: `${type}.${value.charAt(0).toUpperCase()}${value.slice(1)}`, imports: [type] };
}

function granularity(value: unknown): Written | null {
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

function listOf(value: unknown, each: (value: unknown) => string): string {
  if (!Array.isArray(value)) return pythonOf(value, '    ');
  return `[\n${value.map((item) => `        ${each(item)},\n`).join('')}    ]`;
}

/** A JSON value as Python source, indented by four, on one line where it fits. */
export function pythonOf(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (line.length + indent.length <= 88) return line;
  const inner = `${indent}    `;
  if (Array.isArray(value))
    return `[\n${value.map((each) => `${inner}${pythonOf(each, inner)},\n`).join('')}${indent}]`;
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

/** JSON's escapes mean the same in Python, but for surrogates, which Python does not join: `JSON.stringify` leaves pairs as they are. */
function pythonText(value: string): string {
  return JSON.stringify(value);
}
