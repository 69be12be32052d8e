import type { StepLimit } from '../../../src/protocol/messages.ts';
import { FailureError, messageOf } from '../../../src/contract/failure.ts';

/** Runs a pass, and settles even if the device is lost. */
export type Guard = <Value>(pass: () => Promise<Value>) => Promise<Value>;

/** A pass on a lost GPU fails before the loss is announced: a failure waits this long. */
const LOSS_EVENT_MS = 2_000;

/**
 * Tells apart how a pass can fail.
 *
 * - A lost GPU is DEVICE_LOST, whether the pass fails before the loss is announced or never settles by itself. No other
 *   pass is started, because it would block the thread for good.
 * - A trap in WebAssembly is DEVICE_LOST too: the instance is in an unknown state.
 * - A failed allocation is OUT_OF_MEMORY. The runtime still works, so a smaller pass may be tried.
 *
 * After DEVICE_LOST this thread's ONNX Runtime cannot be used any more: a new worker is needed.
 *
 * @param gpu  null: WebAssembly
 */
export function guardOf(gpu: Pick<GPUDevice, 'lost'> | null): Guard {
  let failure: FailureError | undefined;
  const lost = gpu?.lost.then(({ reason, message }): never => {
    failure = new FailureError('DEVICE_LOST', `the GPU was lost (${reason}): ${message}`);
    throw failure;
  });
  lost?.catch(() => undefined); // a loss while nothing runs is not an unhandled rejection
  return async (pass) => {
    if (failure) throw failure;
    try {
      return await (lost ? Promise.race([pass(), lost]) : pass());
    } catch (error) {
      if (lost) await Promise.race([lost, delay(LOSS_EVENT_MS)]);
      if (isOutOfMemory(error)) throw outOfMemory(error);
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw new FailureError('DEVICE_LOST', `WebAssembly broke off: ${error.message}`);
    }
  };
}

/**
 * Uses a resource, and releases it if that fails: the worker lives on, and would keep it. The resources of a lost device end
 * with its worker, and cannot be released.
 *
 * @throws the error of `use`
 */
export async function releaseOnError<Value>(release: () => Promise<void>, use: () => Promise<Value>): Promise<Value> {
  try {
    return await use();
  } catch (error) {
    const isLost = error instanceof FailureError && error.failure.code === 'DEVICE_LOST';
    if (!isLost) await release().catch(console.error); // the first error says more
    throw error;
  }
}

/** What is opened, or why it cannot be. @throws what is no `FailureError`, and DEVICE_LOST: nothing else can be tried then */
export async function attempt<Value>(open: () => Promise<Value>): Promise<Value | FailureError> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof FailureError && error.failure.code !== 'DEVICE_LOST') return error;
    throw error;
  }
}

/** Messages of failed allocations: by C++, ONNX Runtime (WebAssembly and WebGPU), and the browser (buffers and GPU buffers). */
const OUT_OF_MEMORY =
  /bad_alloc|out of memory|failed to allocate|allocation failed|could not allocate|cannot allocate|not enough memory/i;

/** Whether a pass failed for lack of memory. A trap never counts, whatever its message: the instance cannot be used again. */
export function isOutOfMemory(error: unknown): boolean {
  if (error instanceof FailureError) return error.failure.code === 'OUT_OF_MEMORY';
  return error instanceof Error && !(error instanceof WebAssembly.RuntimeError) && OUT_OF_MEMORY.test(error.message);
}

/** OUT_OF_MEMORY with the message of `cause`; a `FailureError` is returned as it is. */
export function outOfMemory(cause: unknown): FailureError {
  if (cause instanceof FailureError) return cause;
  return new FailureError('OUT_OF_MEMORY', messageOf(cause));
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
    listen: (onBeat: typeof listener) => void (listener = onBeat),
  };
}

/** The heartbeats of this thread: sessions of all models share one ONNX Runtime, and block it together. */
export const threadHeartbeats = createHeartbeats();

/** Runs a step on the files of a model; where it never ends, the job fails with MODEL_UNAVAILABLE. @param what  the files are expected to do, after "can" */
export async function refusedIfEndless<Value>(what: string, step: () => Promise<Value>): Promise<Value> {
  const message = `expected files that can ${what} within a minute or two, got some that take longer`;
  const lift = threadHeartbeats.limit({ failure: { code: 'MODEL_UNAVAILABLE', message } });
  try {
    return await step();
  } finally {
    lift();
  }
}

/** Between heartbeats of a thread that waits for another machine; far below the silence of a thread that counts as stuck. */
export const HEARTBEAT_MS = 10_000;

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
