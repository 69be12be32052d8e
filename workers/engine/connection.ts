import { type RunQueue } from './session/session.ts';
import { FailureError, messageOf } from '../../src/contract/failure.ts';
import { ENGINE_ADDRESS, ENGINE_ATTEMPT, JSON_LENGTH } from '../../src/contract/wire/engine.ts';
import type { RemoteEngine } from '../../src/protocol/model-job.ts';
import { delay, HEARTBEAT_MS, whileBeating } from './device/guard.ts';

/** The body of an inference request. */
interface RequestBody {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Bytes of JSON before the tensors; undefined for JSON alone. */
  readonly jsonBytes: number | undefined;
}

/** The body of an answer. */
interface AnswerBody {
  readonly bytes: Uint8Array;
  /** As in `RequestBody`. */
  readonly jsonBytes: number | undefined;
}

/** Calls of the protocol through the local server. */
interface EngineConnection {
  /** @throws {FailureError} ENGINE_UNAVAILABLE; {Error} with the engine's message */
  get(path: string): Promise<AnswerBody>;
  /**
   * @param work    of the request, in any unit
   * @param onLost  called before a further attempt where the server may have read the body of the one before; what it throws ends the call
   * @throws {FailureError} ENGINE_UNAVAILABLE; {Error} with the engine's message; the signal's reason
   */
  post(
    path: string,
    body: RequestBody,
    work: number,
    signal: AbortSignal | undefined,
    onLost?: () => void,
  ): Promise<AnswerBody>;
  /** Starts tasks in order, each as soon as the engine has room for one more request. */
  readonly queue: RunQueue;
  /** How many requests may run at once now, 1 … 16. */
  limit(): number;
}

/** A retry may reach another replica. Ray Serve answers 500 when a replica dies during a request. */
const RETRIED = new Set([429, 500, 502, 503, 504]);

/** The engine can be reached, and is overloaded. */
const OVERLOADED = new Set([429, 503, 504]);

/** The engine refuses a request before it reads the body. */
const UNREAD = new Set([429, 503]);

/** A page registers its token with the local server after it has started: until then the server does not know it. */
const UNKNOWN_TOKEN = { tries: 20, everyMs: 250 } as const;

/** See `connectTo`. */
export interface ConnectionOptions {
  /** The global one; tests pass their own. */
  readonly fetch?: typeof globalThis.fetch;
  /** Waits before each further attempt, ms; a server may ask for a longer one. Default: one more attempt, at once. */
  readonly backOffMs?: readonly number[];
  /** Makes an error of a refusal that is not tried again. */
  readonly failureOf?: (engine: RemoteEngine, refusal: Refusal) => Error;
}

interface CallReport {
  readonly work?: number;
  readonly onLost?: (() => void) | undefined;
}

/** Calls of one server through the local one, each tried again where that helps. */
export function connectTo(
  engine: RemoteEngine,
  { fetch = globalThis.fetch, backOffMs = [0], failureOf = engineFailure }: ConnectionOptions = {},
): EngineConnection {
  const { queue, limit, measured, overloaded } = createInFlight();
  const send = async (path: string, init: RequestInit, attempt: number): Promise<Response> => {
    const headers = new Headers({ Authorization: `Bearer ${engine.token}`, [ENGINE_ADDRESS]: engine.address });
    if (attempt > 1) headers.set(ENGINE_ATTEMPT, String(attempt));
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return fetch(engine.url + path, { ...init, headers, cache: 'no-store', redirect: 'error' });
  };
  const call = async (path: string, init: RequestInit, { work, onLost }: CallReport = {}): Promise<AnswerBody> => {
    for (let attempt = 1; ; attempt++) {
      const startedMs = performance.now();
      const found = await attempted(() => send(path, init, attempt), init.signal);
      if ('body' in found) {
        if (work !== undefined) measured(work, performance.now() - startedMs); // without the waits before it
        return found.body;
      }
      if (OVERLOADED.has(found.status) && init.method === 'POST') overloaded();
      const waitMs = backOffMs[attempt - 1];
      if (found.status === 401)
        throw new UnknownToken('ENGINE_UNAVAILABLE', `${engine.address}: ${found.message || 'the token was refused'}`);
      if (waitMs === undefined || (found.status !== 0 && !RETRIED.has(found.status))) throw failureOf(engine, found);
      if (!UNREAD.has(found.status)) onLost?.();
      await abortableDelay(Math.max(waitMs, found.retryAfterMs), init.signal);
    }
  };
  const getWithRetries = async (path: string): Promise<AnswerBody> => {
    for (let tries = 1; ; tries++)
      try {
        return await call(path, {});
      } catch (error) {
        if (!(error instanceof UnknownToken) || tries === UNKNOWN_TOKEN.tries) throw error;
        await delay(UNKNOWN_TOKEN.everyMs);
      }
  };
  return {
    queue,
    limit,
    get: (path) => whileBeating(() => getWithRetries(path), HEARTBEAT_MS),
    async post(path, { body, contentType, jsonBytes }, work, signal, onLost) {
      const length = jsonBytes === undefined ? {} : { [JSON_LENGTH]: String(jsonBytes) };
      const init = { method: 'POST', body, headers: { 'Content-Type': contentType, ...length } };
      return whileBeating(() => call(path, { ...init, ...(signal && { signal }) }, { work, onLost }), HEARTBEAT_MS);
    },
  };
}

/** A refused or failed request; `status` 0: no answer. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** How long the server asks to wait; 0: it does not say. */
  readonly retryAfterMs: number;
}

/** A server that asks for more is not waited for any longer. */
const MAX_RETRY_AFTER_MS = 60_000;

/** @throws the signal's reason, at once */
async function abortableDelay(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  if (ms === 0) return;
  const over = new AbortController();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', stop, { signal: over.signal });
  });
  over.abort();
  signal?.throwIfAborted();
}

async function attempted(
  send: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Refusal | { readonly body: AnswerBody }> {
  try {
    const response = await send();
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) {
      const seconds = Number(response.headers.get('retry-after') ?? 0); // a date counts as none
      const retryAfterMs = seconds > 0 ? Math.min(1000 * seconds, MAX_RETRY_AFTER_MS) : 0;
      return { status: response.status, message: errorText(bytes), retryAfterMs };
    }
    const length = response.headers.get(JSON_LENGTH);
    return { body: { bytes, jsonBytes: length === null ? undefined : Number(length) } };
  } catch (error) {
    signal?.throwIfAborted();
    return { status: 0, message: messageOf(error), retryAfterMs: 0 };
  }
}

/** The text of an error: the protocol has it in `error`. */
function errorText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 2000));
  try {
    const { error, detail } = JSON.parse(text) as { error?: unknown; detail?: unknown };
    const told = error ?? detail;
    return typeof told === 'string' ? told : text; // FastAPI's detail may be a list of objects
  } catch {
    return text;
  }
}

class UnknownToken extends FailureError {}

/** An error that the engine reports itself is one of the pass; any other means that it cannot be reached. */
function engineFailure({ address, model }: RemoteEngine, { status, message }: Refusal): Error {
  if (isAway(status))
    return new FailureError(
      'ENGINE_UNAVAILABLE',
      `the engine ${address} did not answer for its model "${model}"${status ? ` (${status})` : ''}: ${message}`,
    );
  return new Error(`the engine ${address} answered ${status}: ${message}`);
}

/** Whether a status means that a server cannot be used at present, whatever was asked. */
export function isAway(status: number): boolean {
  return status === 0 || status === 403 || status === 404 || RETRIED.has(status);
}

/** How many requests run at once. */
interface InFlight extends Pick<EngineConnection, 'queue' | 'limit'> {
  /** Reports the time of a request, in ms. */
  measured(work: number, ms: number): void;
  /** Reports that the engine refused a request because it is overloaded. */
  overloaded(): void;
}

const LIMITS = { first: 4, least: 1, most: 16 } as const;

/** One more request is allowed while requests take at most this multiple of the best time. */
const CALM = 2;

/** Beyond this multiple requests wait for each other at the engine longer than they gain. */
const CROWDED = 4;

/** The best time grows by this factor with each request: the engine or the network may have changed. */
const DECAY = 1.02;

/**
 * Learns from latency how many requests an engine serves at once: more while answers are nearly as quick as the quickest, fewer
 * when they are late, half when the engine refuses a request.
 *
 * @source after Brakmo and Peterson 1995 (TCP Vegas): delay above the least delay seen means a queue
 */
export function createInFlight(): InFlight {
  const waiting: (() => void)[] = [];
  let running = 0;
  let limit: number = LIMITS.first;
  let best = Infinity;
  const allow = (wanted: number) => (limit = Math.min(LIMITS.most, Math.max(LIMITS.least, wanted)));
  const whole = () => Math.floor(limit);
  const startNext = () => {
    while (running < whole() && waiting.length > 0) {
      running++;
      waiting.shift()?.();
    }
  };
  return {
    async queue(task) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        startNext();
      });
      try {
        return await task();
      } finally {
        running--;
        startNext();
      }
    },
    limit: whole,
    measured(work, ms) {
      const pace = ms / Math.max(1, work);
      // A single request waits for no other of ours: its time is the best that is possible now.
      best = whole() === 1 ? pace : Math.min(best * DECAY, pace);
      if (pace <= CALM * best) allow(limit + 1 / limit);
      else if (pace > CROWDED * best) allow(limit - 1 / limit);
      startNext();
    },
    overloaded: () => void allow(limit / 2),
  };
}
