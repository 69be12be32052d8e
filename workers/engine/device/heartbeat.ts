import type { StepLimit } from '../../../src/protocol/messages.ts';

/** One heartbeat a second is enough, unless it announces a silence. */
const INTERVAL_MS = 1_000;

/** Longer silences are announced. */
const LONG_MS = 1_000;

/** Signs of life of a thread that computes for seconds without a pause; without a listener at first. */
export function createHeartbeats(now = () => performance.now()) {
  let listener: (expectedMs: number, limit: StepLimit | undefined) => void = () => undefined;
  let lastMs = -Infinity;
  let isLong = false;
  let limit: StepLimit | undefined;
  const limits: StepLimit[] = [];
  /** The thread will be busy for about this long; 0: no longer than any other step. */
  const beat = (expectedMs: number) => {
    const [wasLong, before] = [isLong, limit];
    isLong = expectedMs > LONG_MS;
    limit = limits.at(-1);
    if (!isLong && !wasLong && limit === before && now() - lastMs < INTERVAL_MS) return;
    lastMs = now();
    listener(expectedMs, limit);
  };
  return {
    beat,
    /** Announces a step that may never end, because it follows a file of anybody. @returns call it after the step */
    limit(added: StepLimit): () => void {
      limits.push(added);
      beat(0);
      return () => {
        limits.splice(limits.indexOf(added), 1);
        beat(0);
      };
    },
    /** Sets the one listener. */
    listen: (onBeat: typeof listener) => void (listener = onBeat),
  };
}

/** The heartbeats of this thread: sessions of all models share one ONNX Runtime, and block it together. */
export const threadHeartbeats = createHeartbeats();

/** Runs a step on the files of a model; where it never ends, the job fails with MODEL_UNAVAILABLE. @param what  is expected of them */
export async function refusedIfEndless<Value>(what: string, step: () => Promise<Value>): Promise<Value> {
  const message = `expected files that can ${what} within a minute or two, got some that take longer`;
  const lift = threadHeartbeats.limit({ failure: { code: 'MODEL_UNAVAILABLE', message } });
  try {
    return await step();
  } finally {
    lift();
  }
}

/** Runs a task that waits for another machine: its thread is not stuck as long as timers run. */
export async function whileBeating<Value>(
  task: () => Promise<Value>,
  everyMs: number,
  beat = threadHeartbeats.beat,
): Promise<Value> {
  const timer = setInterval(() => beat(0), everyMs);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Estimates how long passes of one network take, from their work in any unit. Time per unit of work: the slowest of the last passes counts in full, and decays by half with each pass. The first pass is
 * not measured, because it brings the network into memory and compiles shaders.
 *
 * @param firstMs  expected while nothing is measured
 */
export function createPassTimer(firstMs = 0) {
  let passes = 0;
  let msPerUnit = 0;
  const expected = (work: number) => (passes < 2 ? firstMs : msPerUnit * work);
  const measured = (work: number, ms: number) => {
    passes++;
    if (passes === 1) return;
    const latest = ms / Math.max(work, 1);
    msPerUnit = Math.max(latest, (msPerUnit + latest) / 2);
  };
  return {
    /** Time that a pass should take, ms. */
    expected,
    measured,
    /** Tells the thread's heartbeats how long a pass should take, runs it and measures it. */
    async run<Value>(work: number, pass: () => Promise<Value>): Promise<Value> {
      threadHeartbeats.beat(expected(work));
      const startedMs = performance.now();
      const value = await pass();
      measured(work, performance.now() - startedMs);
      threadHeartbeats.beat(0);
      return value;
    },
  };
}

/** Resolves after this time. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
