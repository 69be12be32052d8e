import { FailureError } from '../../../src/contract/failure.ts';
import { isRecord } from '../../../src/contract/records.ts';
import type { JobPrompt, RemoteEngine } from '../../../src/protocol/model-job.ts';
import { type ConnectionOptions, connectTo, isAway, type Refusal } from '../connection.ts';
import {
  type JsonAnswer,
  type RatedText,
  readEcho,
  readForced,
  readTokens,
  readPromptLogProbabilities,
  readWritten,
  Unreadable,
  type WholeText,
  type WrittenText,
} from './read-answer.ts';

/** An OpenAI-compatible server that tells how likely a given text is. */
interface LikelihoodServer {
  /**
   * @param onLost  called where the server may have read the text without an answer that can be used; what it throws ends the call
   * @throws {FailureError} ENGINE_UNAVAILABLE, INVALID_REQUEST, or MISSING_CAPABILITY for a server that does not tell it
   * @throws the signal's reason, at once
   */
  rate(text: WholeText, signal: AbortSignal, onLost?: () => void): Promise<RatedText>;
  /**
   * Continues a text with the likeliest token in turn.
   *
   * @param maxTokens  written at most
   * @param onLost     as for `rate`
   * @throws as `rate`
   */
  write(prompt: string, maxTokens: number, signal: AbortSignal, onLost?: () => void): Promise<WrittenText>;
  /** How many requests may run at once now, 1 … 16. */
  limit(): number;
}

/** Sends a prompt with further fields, and takes the answer. */
type Complete = (prompt: string, fields: object) => Promise<JsonAnswer>;

/** A way to ask for the log-probabilities of a given text, and to read the answer. */
interface Way {
  readonly name: string;
  rate(text: WholeText, complete: Complete, idsOf: (text: WholeText) => Promise<readonly number[]>): Promise<RatedText>;
}

/**
 * Tried in turn; the first asks for no log-probability of a server that does not know it.
 *
 * @source llama.cpp, tools/server/README.md (`/tokenize`), grammars/README.md ("Tokens"); OpenAI API reference, "Create completion"
 *   (`echo`, `logprobs`); vLLM, "OpenAI-Compatible Server" (`prompt_logprobs`)
 */
const WAYS: readonly Way[] = [
  {
    name: 'grammar',
    async rate(text, complete, idsOf) {
      const ids = await idsOf(text);
      const grammar = `root ::= ${ids.map((id) => `<[${id}]>`).join(' ')}`;
      return readForced(await complete(text.prompt, { max_tokens: ids.length, logprobs: 1, grammar }), text, ids);
    },
  },
  asking('echo', { max_tokens: 1, echo: true, logprobs: 1 }, readEcho), // some servers refuse to write no token
  asking('prompt_logprobs', { max_tokens: 1, prompt_logprobs: 1 }, readPromptLogProbabilities),
];

function asking(name: string, fields: object, read: (answer: JsonAnswer, text: WholeText) => RatedText): Way {
  return { name, rate: async (text, complete) => read(await complete(text.prompt + text.target, fields), text) };
}

/** Waits before further attempts after 429, 5xx and broken connections, ms. */
const BACK_OFF_MS = [500, 2000, 8000];

/** The way that a model's server understands, by address and model. */
const knownWays = new Map<string, Way>();

/** How a request ends early, and what is called where its answer was lost. */
type Call = [signal: AbortSignal, onLost?: () => void];

/** @param options  tests pass their own `fetch` and shorter waits */
export function connectToUpstream(
  upstream: RemoteEngine,
  options: Pick<ConnectionOptions, 'fetch' | 'backOffMs'> = {},
): LikelihoodServer {
  const connection = connectTo(upstream, { backOffMs: BACK_OFF_MS, failureOf, ...options });
  const { address, model } = upstream;
  const key = `${address} ${model}`;
  const post = async (path: string, fields: object, work: number, ...call: Call) => {
    const request = { body: JSON.stringify(fields), contentType: 'application/json', jsonBytes: undefined };
    return parsed((await connection.queue(() => connection.post(path, request, work, ...call))).bytes);
  };
  const complete = (prompt: string, fields: object, ...call: Call) =>
    post('completions', { model, prompt, temperature: 0, n: 1, stream: false, ...fields }, prompt.length, ...call);
  const idsOf = createTargetIds((content, signal) =>
    post('tokenize', { content, with_pieces: true }, 0, signal).catch(unread),
  );
  const ask = (way: Way, text: WholeText, ...call: Call): Promise<RatedText> =>
    way.rate(
      text,
      (prompt, fields) => complete(prompt, fields, ...call),
      (each) => idsOf(each, call[0]),
    );
  return {
    limit: connection.limit,
    write: (prompt, maxTokens, signal, onLost) =>
      complete(prompt, { max_tokens: maxTokens, logprobs: 1 }, signal, onLost)
        .then(readWritten)
        .catch((error: unknown) => rethrow(error, address)),
    async rate(text, signal, onLost) {
      const known = knownWays.get(key);
      if (known)
        return ask(known, text, signal, onLost).catch((error: unknown) => {
          if (error instanceof Answered || error instanceof Unreadable) knownWays.delete(key); // other software may answer there now
          return rethrow(error, address);
        });
      const reasons: string[] = [];
      for (const way of WAYS)
        try {
          const rated = await ask(way, text, signal, onLost);
          knownWays.set(key, way);
          return rated;
        } catch (error) {
          if (!(error instanceof Answered || error instanceof Unreadable)) throw error;
          if (error instanceof Unreadable && way !== WAYS.at(-1)) onLost?.(); // after the last one the reasons are told
          reasons.push(`${way.name}: ${error.message}`);
        }
      throw new FailureError(
        'MISSING_CAPABILITY',
        `model: expected a server that tells how likely a given text is, got ${address}. ${reasons.join('. ')}`,
      );
    },
  };
}

/** Token ids of targets, each asked for once. @param ask  for the tokens of a text */
function createTargetIds(ask: (text: string, signal: AbortSignal) => Promise<JsonAnswer>) {
  const known = new Map<string, readonly number[]>();
  const tokenize = async (text: string, signal: AbortSignal) => {
    const tokens = readTokens(await ask(text, signal));
    if (tokens === undefined) throw new Answered('it gives no token ids');
    return tokens;
  };
  return async ({ prompt, target }: WholeText, signal: AbortSignal) => {
    const before = known.get(target);
    if (before) return before;
    const [whole, start] = [await tokenize(prompt + target, signal), await tokenize(prompt, signal)];
    const own = whole.slice(start.length);
    if (start.some(({ id }, at) => id !== whole[at]?.id)) throw new Answered('the target begins within a token');
    if (own.some(({ isWhole }) => !isWhole)) throw new Answered('it rates no character that is several tokens');
    const ids = own.map(({ id }) => id);
    known.set(target, ids);
    return ids;
  };
}

/** The server answered with an error about the request, and has read no text. */
class Answered extends Error {}

/** What cannot be understood of a server that was to read no text. */
function unread(error: unknown): never {
  throw error instanceof Unreadable ? new Answered(error.message) : error;
}

function failureOf({ address, model }: RemoteEngine, { status, message }: Refusal): Error {
  if (!isAway(status) || status === 404) return new Answered(`it answered ${status}: ${message}`); // 404: no such path or model
  const shown = status === 0 ? message : `${status}: ${message}`;
  return new FailureError(
    'ENGINE_UNAVAILABLE',
    `the server ${address} did not answer for its model "${model}": ${shown}`,
  );
}

/** @throws {FailureError} in place of errors about one answer */
function rethrow(error: unknown, address: string): never {
  if (error instanceof Answered)
    throw new FailureError('INVALID_REQUEST', `prompt: the server ${address}: ${error.message}`);
  if (error instanceof Unreadable)
    throw new FailureError('ENGINE_UNAVAILABLE', `the server ${address} cannot be understood: ${error.message}`);
  throw error;
}

function parsed(bytes: Uint8Array): JsonAnswer {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isRecord(value)) return value;
  } catch {
    // not JSON, as below
  }
  throw new Unreadable('expected a JSON object, got something else');
}

/** @throws {FailureError} INVALID_REQUEST for items other than texts, and for controls */
export function textsOf({ path, items }: JobPrompt): string[] {
  return items.map((item, index) => {
    if (item.type === 'text' && item.controls.length === 0) return item.text;
    const got = item.type === 'text' ? 'controls' : item.type;
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}[${index}]: expected a text for a model behind a server, got ${got}`,
    );
  });
}
