import type { z } from 'zod';
import type { OperationDoc } from '../contract/description/operation-docs.ts';
import type { AppliedConcept } from '../contract/steering.ts';
import { isStream, STREAM_TYPE } from '../contract/wire/stream.ts';
import type { Progress } from '../contract/progress.ts';
import { type Failure, failure, FailureError, type Result, success } from '../contract/failure.ts';
import { shown } from '../contract/shown.ts';
import { RAN_AT } from '../contract/wire/engine.ts';
import type { ModelUse } from '../models/default-model.ts';
import type { Model } from '../models/model.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { Device, PrepareJob } from '../protocol/model-job.ts';
import type { JobProgress } from '../protocol/messages.ts';
import { createPause, nextTask, type Pause } from '../contract/pause.ts';
import { chosenModel, placementOf, type RouterOptions, type WantedModel } from './request/model-choice.ts';
import { type EventForm, jsonLines, respondStreaming, serverSentEvents, type StreamForm } from './response/respond.ts';
import { failureBody } from '../contract/failure-body.ts';
import { LONG_BODY, longBodyOf } from '../contract/wire/long-body.ts';
import { steeringBy } from './request/concepts.ts';
import { problemIn } from './request/problem.ts';

/** For the input of a job. */
export interface InputTools {
  /** The model that will run. */
  readonly model: Model;
  /** Of the request's address. */
  readonly query: URLSearchParams;
  /** Runs another job first, under the same time-out. */
  readonly run: RunJob;
}

/** What events of an answer repeat. */
export interface Answered {
  /** Of the model. */
  readonly version: string;
  /** A failure as the request's path wants it. */
  readonly errorBody: (failure: Failure) => object;
}

interface OperationSpec<Request extends z.ZodType, K extends JobKind, Response extends z.ZodType> extends OperationDoc {
  readonly request: Request;
  readonly response: Response;
  readonly kind: K;
  /** Capability that the model must have; null: any model will do. */
  readonly use: ModelUse | null;
  /** The model that the request names. Default: by its fields `model` and `hosting`. */
  wanted?(body: z.output<Request>): WantedModel;
  /** The job's input but for the model. @throws {FailureError} naming the field, what was expected and what came */
  input(body: z.output<Request>, tools: InputTools): Promise<Omit<Jobs[K]['input'], keyof PrepareJob>>;
  /** @param answered  the request, the job's input, and the version of the model that ran; `pause` divides long work */
  output(
    output: Jobs[K]['output'],
    answered: {
      readonly body: z.output<Request>;
      readonly input: Omit<Jobs[K]['input'], keyof PrepareJob>;
      readonly version: string;
      readonly pause: Pause;
      readonly model: Model;
      readonly storage: RouterOptions['storage'];
    },
  ): Promise<z.input<Response>> | z.input<Response>;
  /** Results that come with progress, as they are on the wire. Default: none. */
  progress?(progress: JobProgress, body: z.output<Request>): Partial<Progress> | undefined;
  /** The answer as server-sent events, if the body wants those. Default: never. */
  events?(body: z.output<Request>, answered: Answered): EventForm<z.input<Response>> | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes an operation from its description: read, choose a model, run, respond. */
export function operation<Request extends z.ZodType, K extends JobKind, Response extends z.ZodType>(
  spec: OperationSpec<Request, K, Response>,
) {
  return {
    path: spec.path,
    async answer(request: globalThis.Request, options: RouterOptions): Promise<globalThis.Response> {
      let place: ReturnType<typeof placementOf> | undefined;
      const { pathname, searchParams: query } = new URL(request.url);
      const task: Task<z.input<Response>> = async ({ run, report, answerAs, untilAborted }) => {
        const pause = createPause();
        const body = await readBody(request, spec.request);
        await pause();
        const wanted = spec.wanted?.(body) ?? (body as WantedModel); // the schema decides whether it must name one
        // A model that is still being read is not an unknown one.
        if (wanted.model && !options.catalogue.find(wanted.model)) await untilAborted(options.modelsKnown);
        const model = chosenModel(wanted, spec.use, options);
        const toWire = (progress: JobProgress): Progress => {
          const { phase, done, total } = progress;
          return { phase, done, total, ...spec.progress?.(progress, body) };
        };
        const errorBody = (failed: Failure) => failureBody(failed, pathname);
        const events = spec.events?.(body, { version: model.version, errorBody });
        if (events) answerAs(serverSentEvents(events));
        else if (wantsStream(request)) answerAs(jsonLines(toWire));
        const input = await spec.input(body, { model, query, run });
        const { steering_concepts: applied } = body as SteeredBody;
        const steering = applied?.length ? { steering: steeringBy(applied, model, options.storage) } : {};
        await pause();
        const placed = (place = placementOf(model, wanted.hosting, options));
        // The two parts of a job's input; TypeScript cannot see that for a generic K.
        const inputOn = (device: Device) => ({ ...input, ...device, ...steering, model }) as Jobs[K]['input'];
        const output = await placed.run((device) => run(spec.kind, inputOn(device), report));
        return spec.output(output, { body, input, version: placed.version(), pause, model, storage: options.storage });
      };
      const answer = await runTask(request, pathname, task, options);
      for (const [name, value] of Object.entries(spec.headers ?? {})) answer.headers.set(name, value);
      if (place) answer.headers.set(RAN_AT, place.ran(isStream(answer)));
      return answer;
    },
  };
}

/** Whether a request wants progress lines. */
function wantsStream(request: Request): boolean {
  return request.headers.get('Accept')?.includes(STREAM_TYPE) ?? false;
}

/** Operations without the field have no value in it. */
interface SteeredBody {
  readonly steering_concepts?: readonly AppliedConcept[] | null;
}

/**
 * Runs a job of a request under its time-out, priority and abort signal.
 *
 * @param report  given the job's progress, if the answer is streamed; left out: the job sends none
 * @throws {FailureError} when the job fails
 */
type RunJob = <K extends JobKind>(
  kind: K,
  input: Jobs[K]['input'],
  report?: (progress: JobProgress) => void,
) => Promise<Jobs[K]['output']>;

/** From the body to the response; failures are thrown. */
type Task<Value> = (tools: {
  readonly run: RunJob;
  /** Writes a progress into the answer. */
  readonly report: (progress: JobProgress) => void;
  /** Decides, before a job runs, how the answer is streamed. Otherwise it is plain. */
  readonly answerAs: (form: StreamForm<Value>) => void;
  /** Waits for a promise under the request's time-out and abort signal. */
  readonly untilAborted: (promise: Promise<unknown> | undefined) => Promise<void>;
}) => Promise<Value>;

/** Answers a request by a task, streamed if the request wants that. @throws the reason of its signal, as `fetch` does */
async function runTask<Value>(
  request: Request,
  path: string,
  task: Task<Value>,
  { submit, settings }: RouterOptions,
): Promise<Response> {
  const abandoned = new AbortController();
  let form: StreamForm<Value> | null = null;
  return respondStreaming(
    path,
    (report) =>
      withinTime(settings().timeoutMs, [request.signal, abandoned.signal], (signal) => {
        const nice = isNice(request);
        const run: RunJob = async (kind, input, onProgress) => {
          signal.throwIfAborted();
          const listener = form !== null && onProgress && { onProgress };
          const result = await submit(kind, input, { nice, signal, ...listener });
          if (result.ok) return result.value;
          throw new FailureError(result.failure.code, result.failure.message);
        };
        return task({
          run,
          report,
          answerAs: (chosen) => (form = chosen),
          untilAborted: (promise) => settledOrAborted(promise, signal),
        });
      }),
    () => form,
    () => abandoned.abort(),
  );
}

/** Waits for a promise. @param signal  of one request: a listener stays on it @throws its reason */
async function settledOrAborted(promise: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );
  await Promise.race([promise, aborted]);
}

/** The result of a task, or a TIMEOUT. @throws the reason of one of the signals */
async function withinTime<Value>(
  timeoutMs: number,
  signals: readonly AbortSignal[],
  task: (signal: AbortSignal) => Promise<Value>,
): Promise<Result<Value>> {
  // Not `AbortSignal.timeout`, which would hold each request in memory until it fires.
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  try {
    return success(await task(AbortSignal.any([...signals, clock.signal])));
  } catch (reason) {
    if (reason instanceof FailureError) return { ok: false, failure: reason.failure };
    if (!clock.signal.aborted || reason !== clock.signal.reason) throw reason;
    return failure('TIMEOUT', `expected an answer within ${timeoutMs / 1000} s, got none`);
  } finally {
    clearTimeout(timer);
  }
}

/** UTF-16 units of the longest body: a file of 64 MiB, the largest that the contract reads, is a third longer in base64. */
const MAX_BODY = 128 * 2 ** 20;

/**
 * The request's JSON body, checked. Its content type is ignored: some clients do not send one. A long body is parsed and
 * validated in a task each.
 *
 * @throws {FailureError} PAYLOAD_ERROR when the body is not JSON or does not fit the schema; PAYLOAD_TOO_LARGE for a long
 *   body, see `checkBodyLimits`
 */
async function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  const text = await textOf(request);
  const isLong = text.length > LONG_BODY;
  if (isLong) await nextTask();
  const value = parseJson(text);
  if (isLong) {
    await nextTask();
    checkBodyLimits(value, text.length);
    await nextTask();
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new FailureError('PAYLOAD_ERROR', problemIn(parsed.error));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FailureError('PAYLOAD_ERROR', `body: expected JSON, got ${syntaxProblem(text, error)}`);
  }
}

function syntaxProblem(text: string, error: unknown): string {
  if (text === '') return 'nothing';
  if (text.length > LONG_BODY) return `${text.length} characters that are none`;
  return error instanceof Error ? error.message : String(error);
}

async function textOf(request: Request): Promise<string> {
  const given = longBodyOf(request);
  if (given !== undefined && given.length > MAX_BODY) throw tooLong(given.length);
  // Firefox does not show a request's body as a stream.
  return given ?? (request.body ? readStream(request.body) : request.text());
}

/** Stops reading where the body is too long. */
async function readStream(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length <= MAX_BODY) continue;
    await reader.cancel();
    throw tooLong(text.length);
  }
}

function tooLong(length: number): FailureError {
  return new FailureError('PAYLOAD_TOO_LARGE', `body: expected at most ${MAX_BODY} characters, got ${length} or more`);
}

/** Characters of a body without its files: about four thousand pages. */
const MAX_CHARACTERS = 8 * 2 ** 20;

/** Values in lists and objects, which take long to validate: more than any model reads. */
const MAX_VALUES = 100_000;

/** @param characters  of the JSON text. @throws {FailureError} PAYLOAD_TOO_LARGE for what would take long to validate */
function checkBodyLimits(body: unknown, characters: number): void {
  let values = 0;
  let rest = characters;
  const open: unknown[] = [body]; // values may be nested deeper than functions can be
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    if (typeof parent !== 'object' || parent === null) continue;
    values += Array.isArray(parent) ? parent.length : Object.keys(parent).length;
    if (values > MAX_VALUES) throw tooLarge(`at most ${MAX_VALUES} values, got ${values} or more`);
    for (const [key, child] of Object.entries(parent)) {
      if (typeof child === 'object') open.push(child);
      else if (typeof child === 'string' && isFile(key, child, parent)) rest -= child.length;
    }
  }
  if (rest > MAX_CHARACTERS)
    throw tooLarge(`at most ${MAX_CHARACTERS} characters beside its files, got ${rest} or more`);
}

/** Whether a value is a file in base64: of a document, of a picture of a prompt, or of one of a message. */
function isFile(key: string, value: string, parent: object): boolean {
  if (key === 'data') return Reflect.get(parent, 'type') === 'image';
  return key === 'docx' || (key === 'url' && value.startsWith('data:image/'));
}

function tooLarge(expected: string): FailureError {
  return new FailureError('PAYLOAD_TOO_LARGE', `body: expected ${expected}`);
}

/**
 * The query parameter `nice`: `true`, `false` or nothing; some languages print `True`.
 *
 * @throws {FailureError} PAYLOAD_ERROR for another value: a typing error must not turn a nice request into a normal one
 * @source interface.md, Shared request elements; contract facts §1.1
 */
function isNice(request: Request): boolean {
  const nice = new URL(request.url).searchParams.get('nice');
  const lower = nice?.toLowerCase() ?? 'false';
  if (lower === 'true' || lower === 'false') return lower === 'true';
  throw new FailureError('PAYLOAD_ERROR', `nice: expected true or false, got ${shown(nice)}`);
}
