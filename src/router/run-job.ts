import { failure, success, type Result } from '../contract/failure.ts';
import type { Progress } from '../contract/progress.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { SubmitOptions } from '../scheduler/job.ts';
import { niceOf } from './request/nice.ts';
import { respond } from './response/respond.ts';
import type { Setting } from './setting.ts';
import { respondStreaming, wantsStream } from './response/stream.ts';

/** A job and how its output becomes the contract's answer. */
export interface Task<K extends JobKind> {
  readonly kind: K;
  readonly input: Jobs[K]['input'];
  /** May take its time, in pieces. */
  readonly answer: (output: Jobs[K]['output']) => unknown;
}

/**
 * Runs a request's job under its time-out, priority and abort signal.
 *
 * @returns the answer, streamed when the caller asked for that
 * @throws  the reason of the request's own signal, as `fetch` does
 */
export function runJob<K extends JobKind>(
  request: Request,
  { kind, input, answer }: Task<K>,
  setting: Setting,
): Promise<Response> {
  const steps = async (options: SubmitOptions) => {
    const result = await setting.submit(kind, input, options);
    return result.ok ? success(await answer(result.value)) : result;
  };
  return runSteps(request, steps, setting);
}

/** Jobs that together answer a request; each is to be submitted with these options. */
export type Steps = (options: SubmitOptions) => Promise<Result<unknown>>;

/** The same for a request that takes several jobs, all under one time-out. */
export async function runSteps(request: Request, steps: Steps, setting: Setting): Promise<Response> {
  const abandoned = new AbortController();
  const work = (onProgress?: (progress: Progress) => void) =>
    withinTime(request, { steps, ...(onProgress && { onProgress }), abandoned: abandoned.signal }, setting);
  return wantsStream(request) ? respondStreaming(work, () => abandoned.abort()) : respond(await work());
}

interface Attempt {
  readonly steps: Steps;
  readonly onProgress?: (progress: Progress) => void;
  readonly abandoned: AbortSignal;
}

async function withinTime(
  request: Request,
  { steps, onProgress, abandoned }: Attempt,
  { settings }: Setting,
): Promise<Result<unknown>> {
  const { timeoutMs } = settings();
  const nice = niceOf(request);
  if (!nice.ok) return nice;
  // Not `AbortSignal.timeout`, which would hold on to each request until its time is up.
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  const signal = AbortSignal.any([request.signal, abandoned, clock.signal]);
  try {
    return await steps({ nice: nice.value, signal, ...(onProgress && { onProgress }) });
  } catch (reason) {
    if (!clock.signal.aborted || reason !== clock.signal.reason) throw reason;
    return failure('TIMEOUT', `expected an answer within ${timeoutMs / 1000} s, got none`);
  } finally {
    clearTimeout(timer);
  }
}
