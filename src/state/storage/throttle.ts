/** Hands on at most one value per interval: the first at once, then the newest. */
export interface Throttle<Value> {
  push(value: Value): void;
  /** Applies the waiting value now. */
  flush(): void;
  /** Drops the waiting value. */
  cancel(): void;
}

/** A throttle in front of `apply`. */
export function createThrottle<Value = void>(apply: (value: Value) => void, intervalMs: number): Throttle<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: { value: Value } | null = null;
  const next = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    timer = setTimeout(next, intervalMs);
    apply(value);
  };
  return {
    push(value) {
      waiting = { value };
      if (timer === undefined) next();
    },
    flush() {
      if (waiting) next();
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
      waiting = null;
    },
  };
}
