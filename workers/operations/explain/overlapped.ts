import type { JobContext } from '../context.ts';

/** How tasks overlap. */
export interface Overlap {
  readonly context: JobContext;
  /** How many may be under way now. Left out: one. */
  readonly width?: (() => number) | undefined;
}

/**
 * Runs a task for each item, in order, as many at once as `width` says; before each it gives way to more urgent jobs. Where
 * one fails or the job is cancelled, the others' signal is aborted, and all have ended before this rejects.
 *
 * @throws what the first task that fails throws
 */
export async function overlapped<Item>(
  items: readonly Item[],
  { context, width = () => 1 }: Overlap,
  task: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const own = new AbortController();
  const signal = context.signal ? AbortSignal.any([context.signal, own.signal]) : own.signal;
  const running = new Set<Promise<void>>();
  let failed: { readonly reason: unknown } | undefined;
  const start = (item: Item) => {
    const run: Promise<void> = task(item, signal)
      .catch((reason: unknown) => {
        failed ??= { reason };
        own.abort();
      })
      .finally(() => running.delete(run));
    running.add(run);
  };
  try {
    for (const item of items) {
      await context.checkpoint();
      if (failed) break;
      start(item);
      while (running.size >= Math.max(1, width()) && !failed) await Promise.race(running);
    }
  } catch (reason) {
    failed ??= { reason };
    own.abort();
  }
  await Promise.all(running);
  if (failed) throw failed.reason;
}
