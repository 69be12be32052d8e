import { failure, type Result } from '../contract/failure.ts';
import type { Progress } from '../contract/progress.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import { respond } from './respond.ts';
import type { Setting } from './setting.ts';
import { respondStreaming, wantsStream } from './stream.ts';

/** A job and how its output becomes the contract's answer. */
export interface Task<K extends JobKind> {
  readonly kind: K;
  readonly input: Jobs[K]['input'];
  readonly answer: (output: Jobs[K]['output']) => unknown;
}

/**
 * Runs a request's job under its time-out, priority and abort signal.
 *
 * @returns the answer, streamed when the caller asked for that
 * @throws  the reason of the request's own signal, as `fetch` does
 */
export async function runJob<K extends JobKind>(request: Request, task: Task<K>, setting: Setting): Promise<Response> {
  const abandoned = new AbortController();
  const work = (onProgress?: (progress: Progress) => void) =>
    withinTime(request, { ...task, ...(onProgress && { onProgress }), abandoned: abandoned.signal }, setting);
  return wantsStream(request) ? respondStreaming(work, () => abandoned.abort()) : respond(await work());
}

interface Attempt<K extends JobKind> extends Task<K> {
  readonly onProgress?: (progress: Progress) => void;
  readonly abandoned: AbortSignal;
}

async function withinTime<K extends JobKind>(
  request: Request,
  { kind, input, answer, onProgress, abandoned }: Attempt<K>,
  { submit, timeoutMs }: Setting,
): Promise<Result<unknown>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([request.signal, abandoned, timeout]);
  const nice = new URL(request.url).searchParams.get('nice') === 'true';
  try {
    const result = await submit(kind, input, { nice, signal, ...(onProgress && { onProgress }) });
    return result.ok ? { ok: true, value: answer(result.value) } : result;
  } catch (reason) {
    if (reason !== timeout.reason) throw reason;
    return failure('TIMEOUT', `expected an answer within ${timeoutMs / 1000} s, got none`);
  }
}
