/** Told before the thread falls silent, and for how many ms that is expected to last. */
export type OnBeat = (expectedMs: number) => void;

/** Signs of life of a thread that computes in long pieces. */
export interface Pulse {
  /** Something is about to take so many ms; 0: no longer than any other step. */
  beat(expectedMs: number): void;
  /** Who is told. */
  listen(onBeat: OnBeat): void;
}

/** A sign of life a second is enough, unless it announces a silence. */
const INTERVAL_MS = 1_000;

/** A silence of more than so many ms is announced. */
const LONG_MS = 1_000;

/** A pulse nobody listens to yet. */
export function createPulse(now = () => performance.now()): Pulse {
  let tell: OnBeat = () => undefined;
  let lastMs = -Infinity;
  let isLong = false;
  return {
    beat(expectedMs) {
      const wasLong = isLong;
      isLong = expectedMs > LONG_MS;
      if (!isLong && !wasLong && now() - lastMs < INTERVAL_MS) return;
      lastMs = now();
      tell(expectedMs);
    },
    listen: (onBeat) => void (tell = onBeat),
  };
}

/** The pulse of this thread: sessions of all models share the one ONNX Runtime, and with it every silence. */
export const threadPulse: Pulse = createPulse();

/** What passes of a network take. */
export interface Pace {
  /** ms that a pass of so much work is expected to take. */
  expected(work: number): number;
  measured(work: number, ms: number): void;
}

/**
 * Time per unit of work: the slowest of the last passes counts in full, and is forgotten by halves. The first pass is not
 * measured, because it brings the network into memory and compiles shaders.
 *
 * @param firstMs  expected while nothing is measured
 */
export function createPace(firstMs = 0): Pace {
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
