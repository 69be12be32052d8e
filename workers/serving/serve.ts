import { type Failure, FailureError } from '../../src/contract/failure.ts';
import {
  compareUrgency,
  type FromWorker,
  type JobProgress,
  type Port,
  type Rank,
  type RunMessage,
  type TaskId,
  type ToWorker,
  type Waiting,
} from '../../src/protocol/messages.ts';
import type { RequestScope, RequestSender } from '../../src/protocol/page/privacy-facts.ts';
import { nextTask } from '../../src/contract/pause.ts';
import { delay, threadHeartbeats } from '../engine/device/guard.ts';
import { failLoudly, failOnUnreadable, holdLifeLock, reportRequests } from './liveness.ts';

/** Passed to a task with its input; the tasks of the inference and documents workers are jobs. */
export interface TaskContext<Progress = JobProgress> {
  /** Lets messages in, and more urgent tasks run first. @throws {DOMException} `AbortError` once it is cancelled */
  checkpoint(): Promise<void>;
  /** Aborted once the task is cancelled. */
  readonly signal: AbortSignal;
  /** Whether progress is sent; results for a listener alone are not computed without one. */
  readonly listens: boolean;
  progress(progress: Progress): void;
}

/** The functions of a worker's tasks, by kind; the type of each table pairs inputs and outputs. */
export type TaskFunctions = Readonly<Record<string, (input: never, context: TaskContext<unknown>) => unknown>>;

/** How messages are posted. */
export interface ServeOptions {
  /** Buffers that are transferred with a `done` message; default: none. */
  readonly transferablesOf?: (message: never) => Transferable[];
  readonly failureOf?: (error: unknown) => unknown;
  /** Called when nothing can be posted any more: the page must be notified in another way. */
  readonly fail?: (error: unknown) => void;
}

/** The messages of a worker whose tasks are not known here. */
type AnyTasks = Record<string, { input: unknown; output: unknown; progress: unknown }>;
type Message = FromWorker<AnyTasks, unknown>;

interface Run extends Rank {
  readonly cancellation: AbortController;
}

/** Serves the tasks of a worker, and reports its end and, for the Privacy page, its requests. */
export function serveWorker(
  scope: Port & RequestScope & Pick<EventTarget, 'addEventListener'>,
  name: RequestSender,
  functions: TaskFunctions,
  options?: ServeOptions,
): void {
  serveJobs(scope, functions, options);
  holdLifeLock(scope, navigator.locks);
  failOnUnreadable(scope);
  reportRequests(scope, name);
}

/**
 * Answers every `run` on `port` with exactly one final message, whatever happens inside; a kind without a function fails. Runs
 * overlap: at its checkpoints each yields to more urgent ones (see `createTurns`). Heartbeats distinguish a busy worker from a
 * stuck one.
 */
export function serveJobs(port: Port, functions: TaskFunctions, options: ServeOptions = {}): void {
  const { failureOf = failureFrom } = options;
  const runs = new Map<TaskId, Run>();
  const turns = createTurns();
  const postOr = createPostOr(port, options);
  /** A lost heartbeat or progress is replaced by a heartbeat, and no task fails for it. */
  const postHeartbeat = (message: Message) =>
    postOr(message, (error) => {
      console.error(error);
      return message.type === 'beat' ? message : { type: 'beat', expectedMs: 0 };
    });
  threadHeartbeats.listen((expectedMs, limit) => postHeartbeat({ type: 'beat', expectedMs, limit }));

  const contextOf = (id: TaskId, listens: boolean, run: Run): TaskContext<unknown> => ({
    async checkpoint() {
      threadHeartbeats.beat(0);
      const { signal } = run.cancellation;
      if (!signal.aborted) await turns.next(run, signal); // receives waiting `cancel` and `run` messages
      signal.throwIfAborted();
    },
    signal: run.cancellation.signal,
    listens,
    progress: (progress) => {
      threadHeartbeats.beat(0);
      if (listens) postHeartbeat({ type: 'progress', id, progress });
    },
  });

  port.onmessage = ({ data }: MessageEvent<ToWorker<AnyTasks>>) => {
    if (data.type === 'cancel') return runs.get(data.id)?.cancellation.abort();
    const { id, nice, cost, listens } = data;
    const run: Run = { nice, cost, cancellation: new AbortController() };
    runs.set(id, run);
    void answerTo(data, functions, contextOf(id, listens, run))
      .catch((error: unknown): Message => {
        if (error instanceof DOMException && error.name === 'AbortError') return { type: 'cancelled', id };
        return { type: 'failed', id, failure: failureOf(error) };
      })
      .then((message) => {
        runs.delete(id);
        turns.leave(run);
        postOr(message, (error) => ({ type: 'failed', id, failure: failureOf(error) })); // it cannot be cloned
      });
  };
}

async function answerTo(
  { id, kind, input }: RunMessage<AnyTasks>,
  functions: TaskFunctions,
  context: TaskContext<unknown>,
): Promise<Message> {
  const task = functions[kind];
  if (task === undefined) throw new TypeError('this worker does not serve tasks of this kind');
  return { type: 'done', id, kind, output: await task(input as never, context) };
}

/** Posts a fallback where a message cannot be posted; where that fails too, nothing can be posted any more. */
function createPostOr(port: Port, { transferablesOf = () => [], fail = failLoudly }: ServeOptions) {
  let portBroken = false;
  const post = (message: Message) =>
    port.postMessage(message, message.type === 'done' ? transferablesOf(message as never) : []);
  return (message: Message, fallback: (error: unknown) => Message): void => {
    if (portBroken) return;
    try {
      post(message);
    } catch (error) {
      try {
        post(fallback(error));
      } catch (second) {
        portBroken = true;
        fail(second);
      }
    }
  };
}

/**
 * Runs a task for each item, in order, with a checkpoint before each. Where one fails or the task is cancelled, the signal of
 * the others is aborted, and all have ended before this rejects.
 *
 * @param options.width  how many may run at once now; left out: one
 * @throws the error of the first task that fails
 */
export async function mapConcurrent<Item>(
  items: readonly Item[],
  { context, width = () => 1 }: { context: TaskContext; width?: (() => number) | undefined },
  task: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
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

/** A thrown failure is data; any other error is a defect, and is logged. */
function failureFrom(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  console.error(error);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: 'INTERNAL', message };
}

/** A run that has waited this long, and as long as its last turn, is next: cheap ones still get half of the time. */
const MAX_WAIT_MS = 1_000;
const NICE_MAX_WAIT_MS = 10_000;

/**
 * After a cheap run a costly one waits for as long as that run's turn took, within these limits: a caller that sends one
 * request after another has the next one ready by then, and would otherwise wait for a whole batch each time.
 *
 * @source Iyer and Druschel 2001, anticipatory scheduling
 */
const LINGER_MS = { least: 10, most: 100 } as const;

/** A run that costs this many times more than the last one is worth lingering for. */
const COSTLY = 4;

interface Waiter {
  readonly run: Rank;
  readonly sinceMs: number;
  /** After this wait the run is next. */
  readonly maxWaitMs: number;
  /** Ends the wait with a turn. */
  readonly start: () => void;
}

/**
 * Runs of one thread take turns, a batch each. The cheapest waiting run is first, of equal ones the one that has waited longest; nice ones are last. A run that does not wait
 * for a turn, such as one whose model is loading, blocks no other.
 */
export function createTurns(now = () => performance.now()) {
  const waiting: Waiter[] = [];
  const lastTurnMs = new WeakMap<Rank, number>();
  let holder: Rank | null = null;
  let heldSinceMs = 0;
  let newest = 0;

  /** Chooses the next run in a later task; of several only the newest, so that all messages have been read before. */
  function pickIn(task: Promise<void>): void {
    const number = ++newest;
    void task.then(() => number === newest && pick());
  }

  /** Frees the turn if it is this run's. */
  function release(run: Rank): boolean {
    if (holder !== run) return false;
    holder = null;
    lastTurnMs.set(run, now() - heldSinceMs);
    return true;
  }

  function pick(): void {
    if (holder !== null) return;
    const [first] = waiting.toSorted((a, b) => compareUrgency(urgencyOf(a, now()), urgencyOf(b, now())));
    if (!first) return;
    holder = first.run;
    heldSinceMs = now();
    first.start();
  }

  return {
    /** Ends a run's turn, receives messages, and waits for its next turn. @param signal  ends the wait without a turn */
    async next(run: Rank, signal: AbortSignal) {
      release(run);
      await new Promise<void>((resolve) => {
        const maxWaitMs = Math.max(run.nice ? NICE_MAX_WAIT_MS : MAX_WAIT_MS, lastTurnMs.get(run) ?? 0);
        const waiter: Waiter = { run, sinceMs: now(), maxWaitMs, start: leaveQueue };
        function leaveQueue() {
          signal.removeEventListener('abort', leaveQueue);
          if (waiting.includes(waiter)) waiting.splice(waiting.indexOf(waiter), 1);
          resolve();
        }
        waiting.push(waiter);
        signal.addEventListener('abort', leaveQueue);
        // Chosen in a later task: a cheaper run may be among the messages.
        pickIn(nextTask());
      });
    },
    /** Ends the run, with or without a turn. */
    leave(run: Rank) {
      if (!release(run)) return;
      const lingers = waiting.length > 0 && waiting.every(({ run: { cost } }) => cost > COSTLY * run.cost);
      const lingerMs = Math.min(LINGER_MS.most, Math.max(LINGER_MS.least, lastTurnMs.get(run) ?? 0));
      pickIn(lingers ? delay(lingerMs) : nextTask());
    },
  };
}

function urgencyOf({ run: { nice, cost }, sinceMs, maxWaitMs }: Waiter, nowMs: number): Waiting {
  return { nice, cost, since: sinceMs, isOverdue: nowMs - sinceMs > maxWaitMs };
}
