import { failure, type Failure, type Result } from '../contract/failure.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { DoneMessage, JobId, RunMessage } from '../protocol/messages.ts';
import type { JobProgress } from '../protocol/progress.ts';
import { costOf } from './cost.ts';

/** How a job is submitted; none of it changes its answer. */
export interface SubmitOptions {
  /** Behind all others, and paused between batches while others run; for a limited time. */
  readonly nice?: boolean;
  readonly signal?: AbortSignal;
  /** Without it no progress crosses the worker line. */
  readonly onProgress?: (progress: JobProgress) => void;
}

/**
 * Runs a job, or queues it.
 *
 * @returns a failure as data; rejects only with the reason of an aborted signal
 */
export type Submit = <K extends JobKind>(
  kind: K,
  input: Jobs[K]['input'],
  options?: SubmitOptions,
) => Promise<Result<Jobs[K]['output']>>;

/** A submitted job with the promise it will settle. */
export interface Pending {
  readonly run: RunMessage;
  readonly progress: (progress: JobProgress) => void;
  readonly done: (message: DoneMessage) => void;
  readonly failed: (failure: Failure) => void;
  readonly abandoned: (reason: unknown) => void;
  readonly submittedMs: number;
  /** A job is run a second time when its worker died under it, never a third. */
  attempts: number;
}

/** A job and its promise. The promise settles once; later calls of `done`, `failed` or `abandoned` do nothing. */
export function createPending<K extends JobKind>(
  id: JobId,
  kind: K,
  input: Jobs[K]['input'],
  { nice = false, onProgress }: SubmitOptions,
): { pending: Pending; answer: Promise<Result<Jobs[K]['output']>> } {
  const { promise, resolve, reject } = withResolvers<Result<Jobs[K]['output']>>();
  const pending: Pending = {
    // One row of the union, chosen by `kind`; TypeScript cannot correlate the two for a generic K.
    run: {
      ...{ type: 'run', id, kind, input, nice },
      ...{ cost: costOf(kind, input), listens: onProgress !== undefined },
    } as RunMessage,
    progress: onProgress ? onlyForward(onProgress) : () => undefined,
    submittedMs: performance.now(),
    // The worker answers a kind with its own output; `serve` is type-checked to do so.
    done: ({ output }) => resolve({ ok: true, value: output as Jobs[K]['output'] }),
    failed: ({ code, message }) => resolve(failure(code, message)),
    abandoned: reject,
    attempts: 0,
  };
  return { pending, answer: promise };
}

/**
 * A job that runs again computes first what was told of it before; nobody hears that twice. Estimates finish no part of the work:
 * they are told once, whatever is done.
 */
function onlyForward(onProgress: (progress: JobProgress) => void): (progress: JobProgress) => void {
  let told = 0;
  let hasEstimates = false;
  return (progress) => {
    const isEstimate = !hasEstimates && progress.explained !== undefined && progress.explained.estimated !== null;
    if (progress.phase === 'run' && progress.done <= told && !isEstimate) return;
    if (progress.phase === 'run') told = Math.max(told, progress.done);
    hasEstimates ||= isEstimate;
    onProgress(progress);
  };
}

/** `Promise.withResolvers`, which the oldest supported Node lacks. */
function withResolvers<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
