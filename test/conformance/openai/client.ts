import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Call } from './calls.ts';

/** The official JavaScript client on an address, which its `fetch` may answer itself. */
export function openAiClient(options: { baseURL: string; apiKey: string; fetch?: typeof fetch }): OpenAI {
  return new OpenAI({ ...options, maxRetries: 0, dangerouslyAllowBrowser: true });
}

/** Makes a call and checks what comes of it. @throws {AssertionError} */
export async function checkCall(client: OpenAI, call: Call): Promise<void> {
  const { apiKey, refused, isAborted, gives = {} } = call;
  const used = apiKey === undefined ? client : client.withOptions({ apiKey });
  if (isAborted) return checkAborted(used, call);
  if (refused) return checkRefused(used, call, refused);
  const result = await resultOf(used, call);
  for (const [path, expected] of Object.entries(gives)) assert.deepEqual(valueAt(result, path), expected, path);
}

async function checkRefused(client: OpenAI, call: Call, expected: NonNullable<Call['refused']>): Promise<void> {
  await assert.rejects(make(client, call), (error) => {
    assert.ok(error instanceof OpenAI.APIError, String(error));
    assert.deepEqual([error.status, error.code], [expected.status, expected.code], error.message);
    if (expected.param !== undefined) assert.equal(error.param, expected.param);
    assert.equal(error.type, 'invalid_request_error');
    return true;
  });
}

async function checkAborted(client: OpenAI, call: Call): Promise<void> {
  const controller = new AbortController();
  const begun = make(client, call, controller.signal);
  if (call.args['stream'] === true) {
    let chunks = 0;
    for await (const _ of piecesOf(await begun)) if (++chunks === 1) controller.abort();
    assert.ok(chunks < 100, `${chunks} pieces came after the abort`);
  } else {
    controller.abort();
    await assert.rejects(begun, OpenAI.APIUserAbortError);
  }
}

/** A streamed call must say what the call without `stream` says. */
async function resultOf(client: OpenAI, call: Call): Promise<unknown> {
  if (call.args['stream'] !== true) return make(client, call);
  const { stream: _, stream_options: __, ...args } = call.args;
  const whole = await make(client, { ...call, args });
  const joined = await joinedOf(piecesOf(await make(client, call)));
  const choices = valueAt(whole, 'choices') as readonly object[]; // a result of either operation that streams
  assert.deepEqual(
    joined.finishes,
    choices.map((choice) => valueAt(choice, 'finish_reason')),
  );
  assert.deepEqual(
    joined.texts,
    choices.map((choice) => valueAt(choice, 'text') ?? valueAt(choice, 'message.content')),
  );
  if (joined.usage !== null) assert.deepEqual(joined.usage, valueAt(whole, 'usage'));
  return joined;
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
  assert.ok(typeof result === 'object' && result !== null && Symbol.asyncIterator in result, 'a stream');
  return result as AsyncIterable<unknown>;
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
function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (typeof at === 'string') return key === 'length' ? at.length : undefined;
    return typeof at === 'object' && at !== null ? (Reflect.get(at, key) as unknown) : undefined;
  }, value);
}
