/** Signs of life of a thread that computes for seconds without a pause. */
export interface Heartbeats {
  /** The thread will be busy for about this long; 0: no longer than any other step. */
  beat(expectedMs: number): void;
  /** Sets the one listener. */
  listen(onBeat: (expectedMs: number) => void): void;
}

/** One heartbeat a second is enough, unless it announces a silence. */
const INTERVAL_MS = 1_000;

/** Longer silences are announced. */
const LONG_MS = 1_000;

/** Heartbeats without a listener. */
export function createHeartbeats(now = () => performance.now()): Heartbeats {
  let listener: (expectedMs: number) => void = () => undefined;
  let lastMs = -Infinity;
  let isLong = false;
  return {
    beat(expectedMs) {
      const wasLong = isLong;
      isLong = expectedMs > LONG_MS;
      if (!isLong && !wasLong && now() - lastMs < INTERVAL_MS) return;
      lastMs = now();
      listener(expectedMs);
    },
    listen: (onBeat) => void (listener = onBeat),
  };
}

/** The heartbeats of this thread: sessions of all models share one ONNX Runtime, and block it together. */
export const threadHeartbeats: Heartbeats = createHeartbeats();

/** Estimates how long passes of one network take, in ms, from their work in any unit. */
export interface PassTimer {
  expected(work: number): number;
  measured(work: number, ms: number): void;
}

/**
 * Time per unit of work: the slowest of the last passes counts in full, and decays by half with each pass. The first pass is
 * not measured, because it brings the network into memory and compiles shaders.
 *
 * @param firstMs  expected while nothing is measured
 */
export function createPassTimer(firstMs = 0): PassTimer {
  let passes = 0;
  let msPerUnit = 0;
  return {
    expected: (work) => (passes < 2 ? firstMs : msPerUnit * work),
    measured(work, ms) {
      passes++;
      if (passes === 1) return;
      const latest = ms / Math.max(work, 1);
      msPerUnit = Math.max(latest, (msPerUnit + latest) / 2);
    },
  };
}

/** Resolves after this time. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
