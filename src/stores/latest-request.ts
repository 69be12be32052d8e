import { messageOf } from '../contract/failure.ts';
import type { Problem } from '../client/client.ts';

/** How a request is made: what aborts it, and where it reports its progress. */
export interface LatestCall<News extends readonly unknown[]> {
  readonly signal: AbortSignal;
  readonly onProgress: (...news: News) => void;
}

/** A request; neither `onProgress` nor `onError` is called once it is aborted. */
interface LatestRequest<Value, News extends readonly unknown[]> {
  readonly request: (call: LatestCall<News>) => Promise<Value>;
  readonly onProgress?: (...news: News) => void;
  /** The value for a thrown error, such as by `lostConnection`. */
  readonly onError: (error: unknown) => Value | Promise<Value>;
}

/**
 * Makes one request at a time; each replaces the one before.
 *
 * @param graceMs  above 0, a newer request waits until the one before has ended, which is aborted after this time: where
 *   answers are fast, each one is shown while a slider moves. Of several that wait, only the newest is made
 */
export function createLatest({ graceMs = 0 }: { readonly graceMs?: number } = {}) {
  let running: { readonly controller: AbortController; readonly ended: Promise<unknown> } | null = null;
  let newest = 0;
  let grace: ReturnType<typeof setTimeout> | undefined;
  const abort = () => running?.controller.abort();
  return {
    /** @returns the value of the request; null if it was aborted, or a newer one replaced it while it waited */
    async run<Value, News extends readonly unknown[] = []>(request: LatestRequest<Value, News>): Promise<Value | null> {
      const own = ++newest;
      if (graceMs > 0 && running) {
        grace ??= setTimeout(abort, graceMs);
        await running.ended;
        if (own !== newest) return null;
      }
      abort();
      const controller = new AbortController();
      const ended = settle(request, controller.signal);
      running = { controller, ended };
      try {
        return await ended;
      } finally {
        if (running?.controller === controller) {
          running = null;
          clearTimeout(grace);
          grace = undefined;
        }
      }
    },
    /** Aborts the request that runs, and drops the one that waits. */
    cancel(): void {
      newest++;
      abort();
    },
  };
}

async function settle<Value, News extends readonly unknown[]>(
  { request, onProgress, onError }: LatestRequest<Value, News>,
  signal: AbortSignal,
): Promise<Value | null> {
  let value: Value | null;
  try {
    value = await request({ signal, onProgress: (...news) => !signal.aborted && onProgress?.(...news) });
  } catch (error) {
    value = signal.aborted ? null : await onError(error);
  }
  return signal.aborted ? null : value;
}

/** A thrown error as the problem of a call. */
export function problemOf(error: unknown, code = 'CONNECTION'): Problem {
  return { status: 0, code, message: messageOf(error) };
}

/** The answer of a call that threw. */
export function lostConnection(error: unknown): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: problemOf(error) };
}
