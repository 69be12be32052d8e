import { isOutOfMemory } from '../engine/device/guard.ts';
import type { JobProgress } from '../../src/protocol/messages.ts';

/** The services of the worker for one job. */
export interface JobContext {
  /**
   * Lets messages in, and more urgent jobs go first.
   *
   * @throws {DOMException} `AbortError` once the job is cancelled
   */
  checkpoint(): Promise<void>;
  /** Aborted once the job is cancelled: ends passes that run on another machine. */
  readonly signal?: AbortSignal;
  /** Whether somebody listens to progress; results for a listener alone are not computed without one. */
  readonly listens: boolean;
  progress(progress: JobProgress): void;
}

/**
 * Runs a task for each item, in order, with a checkpoint before each. Where one fails or the job is cancelled, the signal of
 * the others is aborted, and all have ended before this rejects.
 *
 * @param options.width  how many may run at once now; left out: one
 * @throws the error of the first task that fails
 */
export async function mapConcurrent<Item>(
  items: readonly Item[],
  { context, width = () => 1 }: { context: JobContext; width?: (() => number) | undefined },
  task: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = context.signal ? AbortSignal.any([context.signal, stop.signal]) : stop.signal;
  const running = new Set<Promise<void>>();
  let failed: { readonly reason: unknown } | undefined;
  const fail = (reason: unknown) => {
    failed ??= { reason };
    stop.abort();
  };
  try {
    for (const item of items) {
      await context.checkpoint();
      if (failed) break;
      const run: Promise<void> = task(item, signal)
        .catch(fail)
        .finally(() => running.delete(run));
      running.add(run);
      while (running.size >= Math.max(1, width()) && !failed) await Promise.race(running);
    }
  } catch (reason) {
    fail(reason);
  }
  await Promise.all(running);
  if (failed) throw failed.reason;
}

/**
 * Computes the members of a batch together; where memory does not suffice, in halves, recursively.
 *
 * @param compute  one value for each member, in order
 * @throws {FailureError} OUT_OF_MEMORY when a member alone is too large
 */
export async function halvedOnOutOfMemory<Member, Value>(
  members: readonly Member[],
  compute: (part: readonly Member[]) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  try {
    return await compute(members);
  } catch (error) {
    if (members.length < 2 || !isOutOfMemory(error)) throw error;
    const half = Math.ceil(members.length / 2);
    const first = await halvedOnOutOfMemory(members.slice(0, half), compute);
    return [...first, ...(await halvedOnOutOfMemory(members.slice(half), compute))];
  }
}
