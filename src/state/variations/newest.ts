/**
 * How long a request runs on after a newer value has come, ms: where answers are fast, each one is shown while a slider
 * moves; where they are slow, none is computed that nobody waits for.
 */
export const GRACE_MS = 250;

/** Asks for the newest of values that may come faster than their answers. */
export interface Newest<Value> {
  /** Asks at once, or when the request before has ended; whatever waited until now is dropped. */
  ask(value: Value): void;
  /** Aborts the request, and drops what waits. */
  stop(): void;
}

/** What is asked, and who hears the answers. */
export interface NewestOptions<Value, Answer> {
  readonly request: (value: Value, signal: AbortSignal) => Promise<Answer>;
  /** Answers come in the order of their values; `isNewest` says that no newer value waits. Not called once aborted. */
  readonly onAnswer: (answer: Answer, isNewest: boolean) => void;
  /** A request that was not aborted has failed, and no newer value waits. */
  readonly onError: (error: unknown) => void;
}

/** One request at a time: the service is never behind by more than one. */
export function createNewest<Value, Answer>(options: NewestOptions<Value, Answer>): Newest<Value> {
  const { request, onAnswer, onError } = options;
  let waiting: { readonly value: Value } | null = null;
  let running: AbortController | null = null;
  let grace: ReturnType<typeof setTimeout> | undefined;
  const abort = () => running?.abort();
  const next = async () => {
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    const controller = new AbortController();
    running = controller;
    try {
      const answer = await request(value, controller.signal);
      if (!controller.signal.aborted) onAnswer(answer, !waiting);
    } catch (error) {
      if (!controller.signal.aborted && !waiting) onError(error);
    }
    clearTimeout(grace);
    grace = undefined;
    running = null;
    void next();
  };
  return {
    ask(value) {
      waiting = { value };
      if (!running) void next();
      else grace ??= setTimeout(abort, GRACE_MS);
    },
    stop() {
      waiting = null;
      abort();
    },
  };
}
