import { FailureError } from '../../../src/contract/failure.ts';
import { ENGINE_ADDRESS, ENGINE_ATTEMPT, JSON_LENGTH } from '../../../src/contract/wire/engine.ts';
import type { RemoteEngine } from '../../../src/protocol/model-job.ts';
import { threadPulse } from '../device/pulse.ts';
import type { EncodedRequest, ReceivedAnswer } from './oip-messages.ts';

/** Calls of the protocol through the local server. */
export interface Connection {
  /** @throws {FailureError} ENGINE_UNAVAILABLE; {Error} with what the engine said */
  get(path: string): Promise<ReceivedAnswer>;
  /**
   * @param onOverload  told when the engine refuses work for now
   * @throws {FailureError} ENGINE_UNAVAILABLE; {Error} with what the engine said; the signal's reason
   */
  post(path: string, request: EncodedRequest, options: PostOptions): Promise<ReceivedAnswer>;
}

/** See `Connection.post`. */
export interface PostOptions {
  readonly signal: AbortSignal | undefined;
  readonly onOverload: () => void;
}

/** Another try may meet another replica. Ray Serve answers 500 for one that dies under a request. */
const AGAIN = new Set([429, 500, 502, 503, 504]);

/** The engine is there, and has too much to do. */
const OVERLOADED = new Set([429, 503, 504]);

/** A page registers its token with the local server after it has started: until then it is not known there. */
const UNKNOWN_TOKEN = { tries: 20, everyMs: 250 } as const;

/** A thread that waits for another machine says so. */
const BEAT_MS = 5_000;

/** @param fetch  the global one; tests hand in their own */
export function connectTo(engine: RemoteEngine, fetch: typeof globalThis.fetch = globalThis.fetch): Connection {
  const headers = { Authorization: `Bearer ${engine.token}`, [ENGINE_ADDRESS]: engine.address };
  const send = async (path: string, init: RequestInit, attempt: number): Promise<Response> => {
    const own = new Headers({ ...headers, ...(attempt > 1 && { [ENGINE_ATTEMPT]: String(attempt) }) });
    for (const [name, value] of new Headers(init.headers)) own.set(name, value);
    return fetch(engine.url + path, { ...init, headers: own, cache: 'no-store', redirect: 'error' });
  };
  const call = async (path: string, init: RequestInit, onOverload: () => void): Promise<ReceivedAnswer> => {
    const first = await attempted(() => send(path, init, 1), init.signal);
    if (first.ok) return first.answer;
    if (OVERLOADED.has(first.status)) onOverload();
    if (!first.mayTryAgain) throw failureOf(engine, first);
    const second = await attempted(() => send(path, init, 2), init.signal);
    if (second.ok) return second.answer;
    throw failureOf(engine, second);
  };
  const patiently = async (path: string): Promise<ReceivedAnswer> => {
    for (let tried = 1; ; tried++)
      try {
        return await call(path, {}, () => undefined);
      } catch (error) {
        if (!(error instanceof UnknownToken) || tried === UNKNOWN_TOKEN.tries) throw error;
        await new Promise((resolve) => setTimeout(resolve, UNKNOWN_TOKEN.everyMs));
      }
  };
  return {
    get: (path) => beating(() => patiently(path)),
    post: (path, { body, contentType, jsonBytes }, { signal, onOverload }) => {
      const length = jsonBytes === undefined ? {} : { [JSON_LENGTH]: String(jsonBytes) };
      const init = { method: 'POST', body, headers: { 'Content-Type': contentType, ...length } };
      return beating(() => call(path, { ...init, ...(signal && { signal }) }, onOverload));
    },
  };
}

type Attempt =
  | { readonly ok: true; readonly answer: ReceivedAnswer }
  | { readonly ok: false; readonly status: number; readonly said: string; readonly mayTryAgain: boolean };

async function attempted(send: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Attempt> {
  try {
    const response = await send();
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok)
      return { ok: false, status: response.status, said: saidIn(bytes), mayTryAgain: AGAIN.has(response.status) };
    const length = response.headers.get(JSON_LENGTH);
    const jsonBytes = length === null ? undefined : Number(length);
    return { ok: true, answer: { bytes, jsonBytes } };
  } catch (error) {
    signal?.throwIfAborted();
    return { ok: false, status: 0, said: error instanceof Error ? error.message : String(error), mayTryAgain: true };
  }
}

/** The text of an error: the protocol has it in `error`. */
function saidIn(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 2000));
  try {
    const { error, detail } = JSON.parse(text) as { error?: unknown; detail?: unknown };
    return String(error ?? detail ?? text);
  } catch {
    return text;
  }
}

class UnknownToken extends FailureError {}

/** What an engine says itself is an error of the pass; all else means that it cannot be reached. */
function failureOf(
  { address, model }: RemoteEngine,
  { status, said }: { readonly status: number; readonly said: string },
): Error {
  if (status === 401) return new UnknownToken('ENGINE_UNAVAILABLE', `${address}: ${said || 'the token was refused'}`);
  if (status === 0 || status === 403 || status === 404 || AGAIN.has(status))
    return new FailureError(
      'ENGINE_UNAVAILABLE',
      `the engine ${address} did not answer for its model "${model}"${status ? ` (${status})` : ''}: ${said}`,
    );
  return new Error(`the engine ${address} answered ${status}: ${said}`);
}

async function beating<Value>(task: () => Promise<Value>): Promise<Value> {
  const timer = setInterval(() => threadPulse.beat(0), BEAT_MS);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}
