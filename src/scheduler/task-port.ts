import type { Failure } from '../contract/failure.ts';
import type {
  FinalMessage,
  FromWorker,
  StepLimit,
  RunMessage,
  TaskId,
  TaskTable,
  ToWorker,
} from '../protocol/messages.ts';
import type { WorkerPort } from './spawn.ts';

/** How a task ended; `lost`: its worker died, could not be started, or was stuck. */
export type TaskOutcome<T extends TaskTable<T>, Problem = Failure> =
  | FinalMessage<T, Problem>
  | { readonly type: 'lost'; readonly reason: string };

interface TaskHandlers<T extends TaskTable<T>, Problem = Failure> {
  readonly onProgress?: ((progress: T[keyof T]['progress']) => void) | undefined;
  /** Called exactly once. */
  readonly settle: (outcome: TaskOutcome<T, Problem>) => void;
}

/** See `createTaskPort`. */
export interface TaskPortOptions {
  readonly spawn: () => WorkerPort;
  /** The least time without a message after which a busy worker counts as stuck. */
  readonly silenceMs?: number | undefined;
  /** How long a cancelled task may run on before its worker counts as stuck. */
  readonly graceMs?: number | undefined;
}

/** Why a worker was lost. */
export interface Loss {
  readonly reason: string;
  /** The task because of which it was ended; null where the worker asked to be replaced. */
  readonly cause?: TaskId | null;
  /** It sent nothing for too long: one of its tasks may never end. */
  readonly isStuck?: boolean;
  /** The failure of a job whose step has not ended. */
  readonly failure?: Failure | undefined;
}

/** No pass takes a minute, even on a slow shared CPU. */
const SILENCE_MS = 60_000;
const GRACE_MS = 60_000;

/**
 * Tasks on one worker, which starts with its first task and again after it was lost. A worker is lost when its port says so
 * (`onlost`), when it sends nothing for too long while it is busy, when it does not stop a cancelled task, and when a message
 * to it cannot be sent. All its tasks settle then. `cancel` asks the worker to stop a task, which still settles; `restart` and
 * `close` end the worker, and `restart` calls `onLost`. Nothing here throws.
 *
 * @param onLost  called after the tasks of a lost worker have settled
 */
export function createTaskPort<T extends TaskTable<T>, Problem = Failure>(
  { spawn, silenceMs = SILENCE_MS, graceMs = GRACE_MS }: TaskPortOptions,
  onLost: (loss: Loss) => void = () => undefined,
) {
  const running = new Map<TaskId, TaskHandlers<T, Problem>>();
  const watchdog = createWatchdog({ silenceMs, onSilent: (failure) => lose(stuckFor(silenceMs, failure)) });
  let port: WorkerPort | null = null;

  function receive(message: FromWorker<T, Problem>): void {
    if (message.type === 'replace') return lose({ reason: 'it was replaced', cause: null });
    deliver(message, running);
    if (running.size === 0) return watchdog.stop();
    const { expectedMs, limit } = message.type === 'beat' ? message : {};
    watchdog.extend(expectedMs, limit);
  }

  function open(): WorkerPort {
    const opened = spawn();
    opened.onmessage = ({ data }: MessageEvent<FromWorker<T, Problem>>) => void (opened === port && receive(data));
    opened.onlost = (reason) => void (opened === port && lose({ reason }));
    return opened;
  }

  function post(message: ToWorker<T>, transfer: Transferable[] = []): void {
    try {
      (port ??= open()).postMessage(message, transfer);
    } catch (error) {
      lose({ reason: String(error), cause: message.id });
    }
  }

  function close(reason: string): void {
    watchdog.stop();
    port?.terminate();
    port = null;
    const lost = [...running.values()];
    running.clear();
    for (const { settle } of lost) settle({ type: 'lost', reason });
  }

  function lose(loss: Loss): void {
    close(loss.reason);
    onLost(loss);
  }

  return {
    start(run: RunMessage<T>, handlers: TaskHandlers<T, Problem>, transfer?: Transferable[]) {
      if (running.set(run.id, handlers).size === 1) watchdog.extend();
      post(run, transfer);
    },
    cancel(id: TaskId) {
      const task = running.get(id);
      if (!task) return;
      setTimeout(() => running.get(id) === task && lose(notStopped(id)), graceMs);
      post({ type: 'cancel', id });
    },
    restart: (reason: string) => lose({ reason }),
    close,
  };
}

function deliver<T extends TaskTable<T>, Problem>(
  message: FromWorker<T, Problem>,
  running: Map<TaskId, TaskHandlers<T, Problem>>,
): void {
  if (message.type === 'beat' || message.type === 'alive' || message.type === 'replace') return;
  const task = running.get(message.id);
  if (message.type === 'progress') return task?.onProgress?.(message.progress);
  running.delete(message.id);
  task?.settle(message);
}

function stuckFor(silenceMs: number, failure: Failure | undefined): Loss {
  const reason = `it said nothing for longer than expected, at least ${silenceMs / 1000} s`;
  return { reason, isStuck: true, failure };
}

function notStopped(cause: TaskId): Loss {
  return { reason: 'a cancelled task did not stop', cause };
}

/** A pass may take this many times longer than the passes before it: other programs use the processor too. */
const SLOWDOWN_FACTOR = 10;

/** A timer that fires this late shows that the page slept or was throttled. */
const LATE_MS = 2_000;

/**
 * Notices when a busy worker has sent nothing for too long, counted from its last message. A worker sends nothing during a
 * pass, so the limit follows from the time that it expects for the pass. After a late timer the worker gets its time once
 * more, because it may have slept as the page did.
 *
 * @param options  `silenceMs`: the least silence that counts; `onSilent`: called once per silence, with the failure of the step's limit
 */
export function createWatchdog(options: {
  readonly silenceMs: number;
  readonly onSilent: (failure?: Failure) => void;
  readonly now?: () => number;
}) {
  const { silenceMs, onSilent, now = () => performance.now() } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let deadline = 0;
  let isSecondChance = false;
  let limit: StepLimit | undefined;

  const fire = () => {
    const isLate = now() > deadline + LATE_MS;
    if (!isLate || isSecondChance) return onSilent(limit?.failure);
    isSecondChance = true;
    set(now() + silenceMs);
  };
  const set = (next: number) => {
    clearTimeout(timer);
    deadline = next;
    timer = setTimeout(fire, deadline - now());
  };
  return {
    /**
     * The wait starts again.
     *
     * @param expectedMs  for how long the worker expects to send nothing; undefined: not shorter than before
     * @param newLimit    of the step that it runs
     */
    extend(expectedMs?: number, newLimit?: StepLimit) {
      isSecondChance = false;
      limit = newLimit;
      if (limit?.ms !== undefined) set(now() + limit.ms);
      else if (expectedMs === undefined) set(Math.max(deadline, now() + silenceMs));
      else set(now() + Math.max(silenceMs, SLOWDOWN_FACTOR * expectedMs));
    },
    /** No answer is expected. */
    stop() {
      clearTimeout(timer);
      deadline = 0;
    },
  };
}

/** How a task is run. */
export interface TaskOptions<Progress> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Buffers that are moved with the input instead of copied. */
  readonly transfer?: Transferable[];
}

/** A worker whose tasks are promises. */
export interface TaskClient<T extends TaskTable<T>> {
  /**
   * Runs a task; the worker starts with its first one, and again after it was lost.
   *
   * @throws the reason of the signal
   * @throws what `errorOf` makes of a failure or a lost worker
   */
  run<K extends keyof T>(
    kind: K,
    input: T[K]['input'],
    options?: TaskOptions<T[K]['progress']>,
  ): Promise<T[K]['output']>;
  /** Ends the worker; tasks under way reject. */
  close(reason: string): void;
}

interface TaskClientOptions<T extends TaskTable<T>, Problem> extends TaskPortOptions {
  readonly errorOf: (outcome: Extract<TaskOutcome<T, Problem>, { type: 'failed' | 'lost' }>) => Error;
  /** An aborted task rejects once the worker has released its files; otherwise at once. */
  readonly awaitsCancel?: boolean;
  readonly onLost?: () => void;
}

/** A client without a queue: all its tasks are in the worker at once. */
export function createTaskClient<T extends TaskTable<T>, Problem = Failure>({
  errorOf,
  awaitsCancel = false,
  onLost,
  ...options
}: TaskClientOptions<T, Problem>): TaskClient<T> {
  const port = createTaskPort<T, Problem>(options, onLost);
  let newest = 0;
  return {
    close: port.close,
    run: async (kind, input, { signal, onProgress, transfer } = {}) => {
      signal?.throwIfAborted();
      const id = ++newest;
      const settled = new AbortController();
      return new Promise((resolve, reject) => {
        const abort = () => {
          port.cancel(id);
          if (!awaitsCancel) reject(signal?.reason);
        };
        signal?.addEventListener('abort', abort, { signal: settled.signal });
        const settle = (outcome: TaskOutcome<T, Problem>) => {
          settled.abort();
          if (outcome.type === 'done') resolve(outcome.output);
          else if (signal?.aborted) reject(signal.reason);
          else if (outcome.type === 'cancelled') reject(new DOMException('The task was cancelled.', 'AbortError'));
          else reject(errorOf(outcome));
        };
        // One row of the union, chosen by `kind`; TypeScript cannot correlate the two for a generic K.
        const run = { type: 'run', id, kind, input, nice: false, cost: 0, listens: onProgress !== undefined };
        port.start(run as RunMessage<T>, { onProgress, settle }, transfer);
      });
    },
  };
}
