import type { OperationTypes } from '../contract/description/operation-docs.ts';
import type { ModelSettings } from '../contract/models.ts';
import type { Progress } from '../contract/progress.ts';
import { STREAM_TYPE, type StreamLine } from '../contract/wire/stream.ts';
import { readLines } from './read-lines.ts';

/** A refused or failed call, as the service reports it. */
export interface Problem {
  /** HTTP status; 0 for no answer. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** The answer of a call; an aborted call rejects with `AbortError` instead, as `fetch` does. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

/** Options of a call. Only a budget changes the answer: it leaves scores estimated. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Let every other request go first. */
  readonly nice?: boolean;
  /** Of `explain`, a Lightwell extension: the share of the cost of exact scores that may be spent, above 0 to 1, or `auto`. */
  readonly budget?: number | 'auto';
  readonly onProgress?: (progress: Progress) => void;
}

/** A call of an operation. Its body has no `stream`, which means another format: with `onProgress` a text arrives while it is written. */
type Call<Name extends keyof OperationTypes> = (
  body: Omit<OperationTypes[Name]['body'], 'stream'>,
  options?: CallOptions,
) => Promise<Answer<OperationTypes[Name]['answer']>>;

/** Typed calls of the contract. */
export interface Client {
  embed: Call<'embed'>;
  explain: Call<'explain'>;
  complete: Call<'complete'>;
  /** Answers a dialogue, for a model with a chat template. */
  chat: Call<'chat'>;
  evaluate: Call<'evaluate'>;
  /** Lightwell extension: the hosted service does not have it. */
  predict: Call<'predict'>;
  /** Lightwell extension, like `predict`. */
  lens: Call<'lens'>;
  semanticEmbed: Call<'semanticEmbed'>;
  /** Makes a concept for `steering_concepts` of other calls. */
  steeringConcepts: Call<'steeringConcepts'>;
  /** At most 100 prompts. */
  batchSemanticEmbed: Call<'batchSemanticEmbed'>;
  /** At most 100 documents. */
  rerank: Call<'rerank'>;
  /** Deprecated in the contract. */
  qa: Call<'qa'>;
  modelSettings(options?: CallOptions): Promise<Answer<ModelSettings[]>>;
}

/** A model, and the calls that are made to it; where the model can change, it is read at each call. */
export interface ModelSource<Name extends keyof Client> {
  readonly client: Pick<Client, Name>;
  readonly model: string;
}

/** Where a client sends its requests: the page's router, or a server through `fetch`. */
export interface Connection {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Such as `https://host/v1`; operations are appended. */
  readonly baseUrl: string;
  /** Read at each call, so that a replaced token is used at once. */
  readonly token: string;
}

/** A client over `connection`. */
export function createClient(connection: Connection): Client {
  return {
    embed: (body, options) => post(connection, 'embed', body, options),
    explain: (body, options) => post(connection, 'explain', body, options),
    complete: (body, options) => post(connection, 'complete', body, options),
    chat: (body, options) => post(connection, 'chat/completions', body, options),
    evaluate: (body, options) => post(connection, 'evaluate', body, options),
    predict: (body, options) => post(connection, 'predict', body, options),
    lens: (body, options) => post(connection, 'lens', body, options),
    steeringConcepts: (body, options) => post(connection, 'steering_concepts', body, options),
    semanticEmbed: (body, options) => post(connection, 'semantic_embed', body, options),
    batchSemanticEmbed: (body, options) => post(connection, 'batch_semantic_embed', body, options),
    rerank: (body, options) => post(connection, 'rerank', body, options),
    qa: (body, options) => post(connection, 'qa', body, options),
    modelSettings: (options) => send(connection, 'model-settings', { method: 'GET' }, options),
  };
}

function post<Value>(connection: Connection, operation: string, body: object, options?: CallOptions) {
  const init = { method: 'POST', body: JSON.stringify(body) };
  return send<Value>(connection, operation, init, options);
}

async function send<Value>(
  { fetch, baseUrl, token }: Connection,
  operation: string,
  init: RequestInit,
  { signal, nice, budget, onProgress }: CallOptions = {},
): Promise<Answer<Value>> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: onProgress ? STREAM_TYPE : 'application/json',
  };
  const query = new URLSearchParams({ ...(nice && { nice: 'true' }), ...(budget && { budget: `${budget}` }) });
  const url = `${baseUrl}/${operation}${query.size > 0 ? `?${query}` : ''}`;
  const response = await fetch(new Request(url, { ...init, headers, ...(signal && { signal }) }));
  if (!response.ok) return { ok: false, problem: await problemOf(response) };
  if (response.headers.get('Content-Type')?.startsWith(STREAM_TYPE)) return streamed(response, onProgress);
  // The service checks its answers against the contract.
  return { ok: true, value: (await response.json()) as Value };
}

async function streamed<Value>(response: Response, onProgress?: (progress: Progress) => void): Promise<Answer<Value>> {
  for await (const text of readLines(response)) {
    // Same boundary as above: one line of the documented stream.
    const line = JSON.parse(text) as StreamLine<Value>;
    if ('progress' in line) onProgress?.(line.progress);
    else if ('response' in line) return { ok: true, value: line.response };
    else return { ok: false, problem: { ...line.failure, message: line.failure.error } };
  }
  return { ok: false, problem: { status: 0, code: 'CONNECTION', message: 'The answer ended before it was complete.' } };
}

/** The problem in a refusal; a proxy in between may answer something that is not JSON. */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    const { error, code } = JSON.parse(text) as { error?: unknown; code?: unknown };
    return { status: response.status, code: String(code ?? 'UNKNOWN'), message: String(error ?? text) };
  } catch {
    return { status: response.status, code: 'UNKNOWN', message: text || `HTTP ${response.status}` };
  }
}
