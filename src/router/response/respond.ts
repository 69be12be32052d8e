import { type Failure, type Result, STATUS } from '../../contract/failure.ts';
import { errorBody, failureBody } from '../../contract/failure-body.ts';
import { CHALLENGE } from '../../contract/wire/engine.ts';
import { EVENTS_TYPE, STREAM_TYPE, type StreamLine } from '../../contract/wire/stream.ts';
import type { Progress } from '../../contract/progress.ts';
import type { JobProgress } from '../../protocol/messages.ts';
import { createPause, type Pause } from '../../contract/pause.ts';

/** Failures after which the same request may succeed, and when. */
const RETRY_AFTER_SECONDS: Partial<Record<Failure['code'], number>> = { QUEUE_FULL: 2, DEVICE_LOST: 1 };

/** A result as an HTTP answer; the only place that picks a status. */
async function respond(result: Result<unknown>, path: string): Promise<Response> {
  if (!result.ok) return respondFailure(result.failure, path);
  return new Response(await jsonText(result.value), { headers: { 'Content-Type': 'application/json' } });
}

/** A failure as an HTTP answer to a request for this path. @source contract facts §1.8 */
export function respondFailure(failure: Failure, path: string): Response {
  const { code } = failure;
  const retryAfter = RETRY_AFTER_SECONDS[code];
  const headers = {
    ...(code === 'UNAUTHORIZED' && CHALLENGE),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
  return Response.json(failureBody(failure, path), { status: STATUS[code], headers });
}

/** How a streamed answer is written. */
export interface StreamForm<Value> {
  readonly type: string;
  /** The text of a progress. The answer begins with the first that is not empty. */
  progress(progress: JobProgress): string;
  last(result: Result<Value>): Promise<string>;
  /** Used also for a success without progress; otherwise such an answer is plain. */
  readonly isAlwaysUsed: boolean;
}

/** Lines of JSON: any number of `progress`, then a `response`, or a `failure` in the contract's form on every path. */
export function jsonLines(toWire: (progress: JobProgress) => Progress): StreamForm<unknown> {
  return {
    type: STREAM_TYPE,
    isAlwaysUsed: false,
    progress: (progress) => `${JSON.stringify({ progress: toWire(progress) } satisfies StreamLine<unknown>)}\n`,
    async last(result) {
      if (result.ok) return `{"response":${await jsonText(result.value)}}\n`;
      const failure = { status: STATUS[result.failure.code], ...errorBody(result.failure) };
      return `${JSON.stringify({ failure } satisfies StreamLine<unknown>)}\n`;
    },
  };
}

/** The events of an answer: objects, written as JSON, or plain texts. */
export interface EventForm<Value> {
  progress(progress: JobProgress): readonly (object | string)[];
  /** Events after the last progress. */
  last(value: Value): readonly (object | string)[];
  failed(failure: Failure): readonly (object | string)[];
}

/** An answer as server-sent events, one `data` line each. @source HTML, section 9.2, "Server-sent events" */
export function serverSentEvents<Value>(form: EventForm<Value>): StreamForm<Value> {
  const written = (events: readonly (object | string)[]) =>
    events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
  return {
    type: EVENTS_TYPE,
    isAlwaysUsed: true,
    progress: (progress) => written(form.progress(progress)),
    last: async (result) => written(result.ok ? form.last(result.value) : form.failed(result.failure)),
  };
}

/**
 * The answer of a task, streamed from its first progress. A task that settles before that gets a plain response, so that a bad
 * request has its own status.
 *
 * @param path     of the request
 * @param form     known once the task reports or settles; null: the answer is plain
 * @param abandon  called when the reader leaves
 */
export async function respondStreaming<Value>(
  path: string,
  work: (onProgress: (progress: JobProgress) => void) => Promise<Result<Value>>,
  form: () => StreamForm<Value> | null,
  abandon: () => void,
): Promise<Response> {
  const pieces = new TransformStream<string, string>(undefined, undefined, { highWaterMark: Infinity });
  const writer = pieces.writable.getWriter();
  const write = (piece: string) => void writer.write(piece).catch(abandon);
  let begun: (value: null) => void;
  const firstPiece = new Promise<null>((resolve) => (begun = resolve));
  const result = work((progress) => {
    const piece = form()?.progress(progress) ?? '';
    if (piece === '') return;
    write(piece);
    begun(null);
  });
  const early = await Promise.race([result, firstPiece]);
  const used = form();
  if (used === null || (early !== null && !(early.ok && used.isAlwaysUsed))) return respond(await result, path);
  void result.then(
    async (settled) => {
      write(await used.last(settled));
      await writer.close().catch(abandon); // the reader has left
    },
    (reason: unknown) => writer.abort(reason),
  );
  return new Response(pieces.readable.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': used.type },
  });
}

/** `JSON.stringify` in pieces: writing half a million numbers in one task would block the page. */
export async function jsonText(value: unknown): Promise<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const pause = createPause();
  const fields: string[] = [];
  for (const [name, entry] of Object.entries(value))
    if (entry !== undefined) fields.push(`${JSON.stringify(name)}:${await entryText(entry, pause)}`);
  return `{${fields.join(',')}}`;
}

async function entryText(entry: unknown, pause: Pause): Promise<string> {
  if (!Array.isArray(entry)) return JSON.stringify(entry);
  const pieces: string[] = [];
  for (const element of entry) {
    pieces.push(JSON.stringify(element));
    await pause();
  }
  return `[${pieces.join(',')}]`;
}

/** Digits that are enough to tell any two float32 apart. */
const MAX_DIGITS = 9;
/** Fewer need not be tried: decimals of six digits are so far apart that six digits also give a shorter one. */
const MIN_DIGITS = 6;

/** Smallest and largest power of ten between which scaling is exact enough, and the usual case. */
const [LEAST, GREATEST] = [-7, 6];
const POWERS = Array.from({ length: GREATEST - LEAST + 1 }, (_, i) => Number(`1e${LEAST + i}`));
const SCALES = Array.from({ length: MAX_DIGITS - LEAST + 1 }, (_, i) => 10 ** i);

/**
 * The shortest decimal that reads back as the same float32, as the service writes its numbers. Vectors have thousands
 * of them, so the conversion through text, ten times slower, is used for rare ones only.
 *
 * @edge a subnormal, below 1.2e-38, may have more digits than it needs
 * @source contract facts §1.1, number format
 */
export function shortest(x: number): number {
  const exponent = exponentOf(Math.abs(x));
  if (exponent === undefined) return throughText(x);
  for (let digits = MIN_DIGITS; digits < MAX_DIGITS; digits++) {
    const rounded = scaled(x, digits - 1 - exponent);
    if (Math.fround(rounded) === x) return rounded;
  }
  return scaled(x, MAX_DIGITS - 1 - exponent);
}

/** Rounded to that number of decimals. Both operands of the division are exact, so its result is the double nearest to the decimal. */
function scaled(x: number, decimals: number): number {
  const scale = SCALES[decimals] ?? 1;
  return Math.round(x * scale) / scale;
}

/** The power of ten below a magnitude; undefined outside the usual range. */
function exponentOf(magnitude: number): number | undefined {
  const above = POWERS.findIndex((power) => magnitude < power);
  return above > 0 ? LEAST + above - 1 : undefined;
}

function throughText(x: number): number {
  for (let digits = MIN_DIGITS; digits < MAX_DIGITS; digits++) {
    const rounded = Number(x.toPrecision(digits));
    if (Math.fround(rounded) === x) return rounded;
  }
  return Number(x.toPrecision(MAX_DIGITS));
}
