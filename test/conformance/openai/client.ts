import OpenAI from 'openai';
import type { Call } from './calls.ts';

/** What became of a call, as data that a tab of a browser can hand over. */
export interface Outcome {
  /** What was returned; of a stream what its pieces say together. */
  readonly result?: unknown;
  /** What the same call returned without `stream`. */
  readonly whole?: unknown;
  readonly error?: {
    /** Whether the client knows the error as the API's, or as that of its own abort. */
    readonly kind: 'api' | 'abort' | 'other';
    readonly message: string;
    readonly status?: unknown;
    readonly code?: unknown;
    readonly param?: unknown;
    readonly type?: unknown;
  };
  /** Pieces of a stream that came although it was aborted after the first. */
  readonly pieces?: number;
}

/** The official JavaScript client on an address, which its `fetch` may answer itself. */
export function openAiClient(options: { baseURL: string; apiKey: string; fetch?: typeof fetch }): OpenAI {
  return new OpenAI({ ...options, maxRetries: 0, dangerouslyAllowBrowser: true });
}

/** Makes a call. */
export async function outcomeOf(client: OpenAI, call: Call): Promise<Outcome> {
  const { apiKey, isAborted } = call;
  const used = apiKey === undefined ? client : client.withOptions({ apiKey });
  try {
    return JSON.parse(JSON.stringify(await (isAborted ? aborted(used, call) : made(used, call)))) as Outcome;
  } catch (error) {
    return { error: errorOf(error) };
  }
}

function errorOf(error: unknown): NonNullable<Outcome['error']> {
  if (error instanceof OpenAI.APIUserAbortError) return { kind: 'abort', message: error.message };
  if (!(error instanceof OpenAI.APIError)) return { kind: 'other', message: String(error) };
  const { status, code, param, type, message } = error;
  return { kind: 'api', message, status, code, param, type };
}

async function aborted(client: OpenAI, call: Call): Promise<Outcome> {
  const controller = new AbortController();
  const begun = make(client, call, controller.signal);
  if (call.args['stream'] !== true) {
    controller.abort();
    return { result: await begun };
  }
  let pieces = 0;
  for await (const _ of piecesOf(await begun)) if (++pieces === 1) controller.abort();
  return { pieces };
}

async function made(client: OpenAI, call: Call): Promise<Outcome> {
  if (call.args['stream'] !== true) return { result: await make(client, call) };
  const { stream: _, stream_options: __, ...args } = call.args;
  const whole = await make(client, { ...call, args });
  return { whole, result: await joinedOf(piecesOf(await make(client, call))) };
}

function make(client: OpenAI, { method, args }: Call, signal?: AbortSignal): Promise<unknown> {
  const body = args as never; // some are wrong on purpose
  const options = signal && { signal };
  switch (method) {
    case 'models':
      return client.models.list(options).then((page) => page);
    case 'model':
      return client.models.retrieve(String(args['model']), options);
    case 'completions':
      return client.completions.create(body, options);
    case 'chat':
      return client.chat.completions.create(body, options);
    case 'embeddings':
      return client.embeddings.create(body, options);
    case 'explanations':
      return client.post('/explanations', { body: args, ...options });
  }
}

function piecesOf(result: unknown): AsyncIterable<unknown> {
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
    return result as AsyncIterable<unknown>;
  throw new TypeError('expected a stream');
}

/** What the pieces of a stream say together. */
async function joinedOf(pieces: AsyncIterable<unknown>) {
  const texts: string[] = [];
  const finishes: unknown[] = [];
  const rated: number[] = [];
  let usage: unknown = null;
  for await (const piece of pieces) {
    usage = valueAt(piece, 'usage') ?? usage;
    for (const choice of valueAt(piece, 'choices') as readonly { readonly index: number }[]) {
      const { index } = choice;
      const text = valueAt(choice, 'text') ?? valueAt(choice, 'delta.content') ?? '';
      texts[index] = `${texts[index] ?? ''}${String(text)}`;
      finishes[index] = valueAt(choice, 'finish_reason');
      const tokens = valueAt(choice, 'logprobs.tokens.length') ?? valueAt(choice, 'logprobs.content.length') ?? 0;
      rated[index] = (rated[index] ?? 0) + Number(tokens);
    }
  }
  return { texts, finishes, rated, usage };
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (typeof at === 'string') return key === 'length' ? at.length : undefined;
    return typeof at === 'object' && at !== null ? (Reflect.get(at, key) as unknown) : undefined;
  }, value);
}
