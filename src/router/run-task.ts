import { failure, FailureError, success, type Result } from '../contract/failure.ts';
import type { Progress } from '../contract/progress.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { JobProgress } from '../protocol/progress.ts';
import type { SubmitOptions } from '../scheduler/job.ts';
import { isNice } from './request/nice.ts';
import { respond } from './response/respond.ts';
import { respondStreaming, wantsStream } from './response/stream.ts';
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

/** Everything a request does, from its body to its response. Failures are thrown as `FailureError`. */
export type Task = (run: RunJob) => Promise<unknown>;

/**
 * Answers a request by a task.
 *
 * @returns the answer, streamed when the caller asked for that
 * @throws  the reason of the request's own signal, as `fetch` does
 */
export async function runTask(request: Request, task: Task, options: RouterOptions): Promise<Response> {
  const abandoned = new AbortController();
  const work = (onProgress?: (progress: Progress) => void) =>
    withinTime(request, { task, ...(onProgress && { onProgress }), abandoned: abandoned.signal }, options);
  return wantsStream(request) ? respondStreaming(work, () => abandoned.abort()) : respond(await work());
}

interface Attempt {
  readonly task: Task;
  readonly onProgress?: (progress: Progress) => void;
  readonly abandoned: AbortSignal;
}

async function withinTime(
  request: Request,
  { task, onProgress, abandoned }: Attempt,
  { submit, settings }: RouterOptions,
): Promise<Result<unknown>> {
  const { timeoutMs } = settings();
  // Not `AbortSignal.timeout`, which would keep each request in memory until it fires.
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  const signal = AbortSignal.any([request.signal, abandoned, clock.signal]);
  try {
    const submitOptions = { nice: isNice(request), signal };
    return success(await task(jobRunner(submit, submitOptions, onProgress)));
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
  onProgress: ((progress: Progress) => void) | undefined,
): RunJob {
  return async (kind, input, toWire) => {
    options.signal?.throwIfAborted();
    const listening = onProgress && toWire && { onProgress: (progress: JobProgress) => onProgress(toWire(progress)) };
    const result = await submit(kind, input, { ...options, ...listening });
    if (result.ok) return result.value;
    throw new FailureError(result.failure.code, result.failure.message);
  };
}
