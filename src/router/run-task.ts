import { failure, FailureError, success, type Result } from '../contract/failure.ts';
import type { Progress } from '../contract/progress.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { JobProgress } from '../protocol/progress.ts';
import type { SubmitOptions } from '../scheduler/job.ts';
import { isNice } from './request/nice.ts';
import { JSON_LINES, respondStreaming, type StreamForm, wantsStream } from './response/stream.ts';
import type { RouterOptions } from './router-options.ts';

/**
 * Runs a job of a request under its time-out, priority and abort signal.
 *
 * @param toWire  turns the job's progress into the request's; without it, or without a listener, the job sends none
 * @throws {FailureError} when the job fails
 */
export type RunJob = <K extends JobKind>(
  kind: K,
  input: Jobs[K]['input'],
  toWire?: (progress: JobProgress) => Progress,
) => Promise<Jobs[K]['output']>;

/**
 * Everything a request does, from its body to its response. Failures are thrown as `FailureError`.
 *
 * @param answerAs  chooses how the answer is streamed, before a job runs; the request's own headers choose otherwise
 */
export type Task<Value> = (run: RunJob, answerAs: (form: StreamForm<Value>) => void) => Promise<Value>;

/**
 * Answers a request by a task.
 *
 * @returns the answer, streamed when the caller asked for that
 * @throws  the reason of the request's own signal, as `fetch` does
 */
export async function runTask<Value>(request: Request, task: Task<Value>, options: RouterOptions): Promise<Response> {
  const abandoned = new AbortController();
  let form: StreamForm<Value> | null = wantsStream(request) ? JSON_LINES : null;
  const whole = (run: RunJob) => task(run, (chosen) => (form = chosen));
  const work = (onProgress: (progress: Progress) => void) =>
    withinTime(
      request,
      { task: whole, onProgress, listens: () => form !== null, abandoned: abandoned.signal },
      options,
    );
  return respondStreaming(
    work,
    () => form,
    () => abandoned.abort(),
  );
}

interface Attempt<Value> {
  readonly task: (run: RunJob) => Promise<Value>;
  readonly onProgress: (progress: Progress) => void;
  /** Whether anybody hears of progress; known once the body is read. */
  readonly listens: () => boolean;
  readonly abandoned: AbortSignal;
}

async function withinTime<Value>(
  request: Request,
  { task, onProgress, listens, abandoned }: Attempt<Value>,
  { submit, settings }: RouterOptions,
): Promise<Result<Value>> {
  const { timeoutMs } = settings();
  // Not `AbortSignal.timeout`, which would keep each request in memory until it fires.
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  const signal = AbortSignal.any([request.signal, abandoned, clock.signal]);
  try {
    const submitOptions = { nice: isNice(request), signal };
    return success(await task(jobRunner(submit, submitOptions, { onProgress, listens })));
  } catch (reason) {
    if (reason instanceof FailureError) return { ok: false, failure: reason.failure };
    if (!clock.signal.aborted || reason !== clock.signal.reason) throw reason;
    return failure('TIMEOUT', `expected an answer within ${timeoutMs / 1000} s, got none`);
  } finally {
    clearTimeout(timer);
  }
}

function jobRunner(
  submit: RouterOptions['submit'],
  options: SubmitOptions,
  { onProgress, listens }: Pick<Attempt<unknown>, 'onProgress' | 'listens'>,
): RunJob {
  return async (kind, input, toWire) => {
    options.signal?.throwIfAborted();
    const listening = listens() && toWire && { onProgress: (progress: JobProgress) => onProgress(toWire(progress)) };
    const result = await submit(kind, input, { ...options, ...listening });
    if (result.ok) return result.value;
    throw new FailureError(result.failure.code, result.failure.message);
  };
}
