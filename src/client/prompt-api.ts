import type { ChatRequest } from '../contract/openai.ts';
import type { Progress } from '../contract/progress.ts';
import { toBase64 } from '../contract/wire/base64.ts';
import { createClient, type Answer, type Connection } from './client.ts';

type Message = ChatRequest['messages'][number];
type OnText = (text: string) => void;

/** A part of a message: a text, or a picture as the bytes of its file. */
type Content = { readonly type: 'text' | 'image' | 'audio'; readonly value: unknown };
type PromptMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string | readonly Content[] };
type Prompt = string | readonly PromptMessage[];
type CallOptions = { readonly signal?: AbortSignal };
type PromptOptions = CallOptions & { readonly responseConstraint?: Readonly<Record<string, unknown>> };

/** What sessions are made for. Without a temperature they take the likeliest token in turn. */
interface ModelOptions {
  readonly expectedInputs?: readonly Pick<Content, 'type'>[];
  readonly temperature?: number;
  readonly topK?: number;
}
type CreateOptions = ModelOptions & CallOptions & { readonly initialPrompts?: Prompt };

/**
 * An object of the shape of Chrome's `LanguageModel`, for a model with a chat template. Tools, sampling modes, audio, prefixes and
 * regular expressions reject with `NotSupportedError`; a response constraint is a JSON Schema.
 *
 * @source W3C Web Machine Learning community group, Prompt API
 */
export function createLanguageModel(connection: Connection, model: string) {
  const client = createClient(connection);
  const inspect = async ({ expectedInputs = [] }: ModelOptions = {}) => {
    const found = valueOf(await client.modelSettings()).find(({ name }) => name === model);
    const reads = { text: true, image: found?.multimodal === true, audio: false };
    const isAvailable = found?.chat === true && expectedInputs.every(({ type }) => reads[type]);
    return { isAvailable, contextWindow: found?.max_context_size ?? 0 };
  };
  return {
    availability: async (options?: ModelOptions): Promise<'available' | 'unavailable'> =>
      (await inspect(options)).isAvailable ? 'available' : 'unavailable',
    /** @throws {DOMException} NotSupportedError where the model or this object cannot do what is asked; as its calls do */
    async create({ initialPrompts = [], signal, ...options }: CreateOptions = {}): Promise<Session> {
      refuse(options, 'tools', 'samplingMode');
      const { temperature = 0, topK = null } = options;
      const { isAvailable, contextWindow } = await inspect(options);
      if (!isAvailable) throw notSupported(`"${model}" cannot answer such dialogues`);
      const session = new Session({ chat: client.chat, body: { model, temperature, top_k: topK }, contextWindow });
      await session.append(initialPrompts, signal && { signal });
      return session;
    },
  };
}

/** What a session and its clones share: the model with its options, and the most tokens of a dialogue. */
interface Shared {
  readonly chat: ReturnType<typeof createClient>['chat'];
  readonly body: Pick<ChatRequest, 'model' | 'temperature' | 'top_k'>;
  readonly contextWindow: number;
}

/** A dialogue of `contextUsage` tokens; calls run one after another. One too long forgets its oldest prompts and answers, no system message. */
class Session extends EventTarget {
  readonly #shared: Shared;
  readonly #end = new AbortController();
  #messages: readonly Message[];
  #last: Promise<unknown> = Promise.resolve();
  readonly contextWindow: number;
  contextUsage: number;
  oncontextoverflow: ((event: Event) => void) | null = null;

  constructor(shared: Shared, messages: readonly Message[] = [], contextUsage = 0) {
    super();
    this.#shared = shared;
    this.#messages = messages;
    this.contextWindow = shared.contextWindow;
    this.contextUsage = contextUsage;
    this.addEventListener('contextoverflow', (event) => this.oncontextoverflow?.(event));
  }

  /** @returns the model's answer */
  prompt(input: Prompt, options: PromptOptions = {}): Promise<string> {
    return this.#answer(input, options);
  }

  /** @returns the model's answer as it is written */
  promptStreaming(input: Prompt, options: PromptOptions = {}): ReadableStream<string> {
    const stopped = new AbortController();
    const signal = AbortSignal.any([stopped.signal, options.signal ?? stopped.signal]);
    return new ReadableStream({
      start: (controller) => {
        const answer = this.#answer(input, { ...options, signal }, (text) => controller.enqueue(text));
        answer.then(() => controller.close()).catch((error: unknown) => controller.error(error));
      },
      cancel: () => stopped.abort(),
    });
  }

  /** Adds messages without an answer. */
  async append(input: Prompt, { signal }: CallOptions = {}): Promise<undefined> {
    await this.#inTurn(async () => {
      const messages = await messagesOf(input);
      if (messages.length > 0) await this.#send(messages, { maximum_tokens: 0 }, signal);
    });
  }

  /** @returns how many tokens `contextUsage` would rise by */
  async measureContextUsage(input: Prompt, { signal = this.#end.signal }: CallOptions = {}): Promise<number> {
    const messages = this.#messages.concat(await messagesOf(input));
    const body = { ...this.#shared.body, messages, maximum_tokens: 0 };
    const answer = await this.#shared.chat(body, { signal: AbortSignal.any([this.#end.signal, signal]) });
    return valueOf(answer).usage.prompt_tokens - this.contextUsage;
  }

  /** @returns another session with this dialogue */
  async clone({ signal }: CallOptions = {}): Promise<Session> {
    signal?.throwIfAborted();
    return new Session(this.#shared, this.#messages, this.contextUsage);
  }

  /** Ends running calls; later ones reject with `AbortError`. */
  destroy(): undefined {
    this.#end.abort();
  }

  #answer(input: Prompt, { signal, responseConstraint }: PromptOptions, onText?: OnText): Promise<string> {
    return this.#inTurn(async () => {
      const content = await this.#send(await messagesOf(input), formatOf(responseConstraint), signal, onText);
      this.#messages = this.#messages.concat({ role: 'assistant', content });
      return content;
    });
  }

  #inTurn<Value>(run: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => undefined); // the caller has the error
    return result;
  }

  /** Sends the dialogue with further messages, which it has from then on. @returns the model's answer */
  async #send(added: readonly Message[], wanted: object, signal = this.#end.signal, onText?: OnText): Promise<string> {
    const onProgress = ({ written = [] }: Progress) => written.forEach(({ completion }) => onText?.(completion));
    const options = { signal: AbortSignal.any([this.#end.signal, signal]), ...(onText && { onProgress }) };
    for (let kept = this.#messages; ; kept = withoutOldest(kept)) {
      const messages = kept.concat(added);
      const answer = await this.#shared.chat({ ...this.#shared.body, ...wanted, messages }, options);
      const isLong = !answer.ok && answer.problem.code === 'PROMPT_TOO_LONG';
      if (isLong && kept.some(({ role }) => role !== 'system')) continue;
      const { choices, usage } = valueOf(answer); // what does not fit alone removes nothing
      if (kept !== this.#messages) this.dispatchEvent(new Event('contextoverflow'));
      this.#messages = messages;
      this.contextUsage = usage.total_tokens;
      return choices[0]?.message.content ?? '';
    }
  }
}

/** The dialogue without its oldest message of the user and the answers to it. */
function withoutOldest(messages: readonly Message[]): readonly Message[] {
  const oldest = messages.findIndex(({ role }) => role !== 'system');
  const next = messages.findIndex(({ role }, at) => at > oldest && role === 'user');
  return messages.filter(({ role }, at) => role === 'system' || (next >= 0 && at >= next));
}

function formatOf(schema: PromptOptions['responseConstraint']): object {
  if (schema instanceof RegExp) throw notSupported('responseConstraint: expected a JSON Schema');
  return schema ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } } : {};
}

async function messagesOf(input: Prompt): Promise<Message[]> {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Promise.all(
    input.map(async (message) => {
      refuse(message, 'prefix');
      const { role, content } = message;
      return { role, content: typeof content === 'string' ? content : await Promise.all(content.map(partOf)) };
    }),
  );
}

async function partOf({ type, value }: Content): Promise<Exclude<Message['content'], string>[number]> {
  if (type === 'text') return { type, text: String(value) };
  const isFile = value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value);
  if (type !== 'image' || !isFile) throw notSupported(`${type}: expected an image as the bytes of its file`);
  const bytes = new Uint8Array(await new Blob([value as BlobPart]).arrayBuffer());
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${toBase64(bytes)}` } }; // the bytes say their format
}

function notSupported(message: string): DOMException {
  return new DOMException(message, 'NotSupportedError');
}

/** @throws {DOMException} NotSupportedError for a member that would be ignored */
function refuse(options: object, ...names: readonly string[]): void {
  for (const name of names)
    if (Reflect.get(options, name) !== undefined) throw notSupported(`${name}: expected none, it is not served`);
}

/** @throws {DOMException} named as the Prompt API names such problems */
function valueOf<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value;
  const { code, message } = answer.problem;
  const name = code === 'MISSING_CAPABILITY' ? 'NotSupportedError' : 'UnknownError';
  throw new DOMException(message, code === 'PROMPT_TOO_LONG' ? 'QuotaExceededError' : name);
}
