import {
  compareUrgency,
  type DoneMessage,
  type JobProgress,
  type JobTasks,
  type RunMessage,
  type TaskId,
  type Waiting,
} from '../protocol/messages.ts';
import { createTaskPort, type Loss, type TaskOutcome, type TaskPortOptions } from './task-port.ts';
import { failure, type Failure, type Result } from '../contract/failure.ts';
import type { CompletePart, JobKind, Jobs } from '../protocol/jobs.ts';
import { costOf } from './cost.ts';

/** See `createScheduler`. */
export interface SchedulerOptions extends TaskPortOptions {
  /** Jobs that may wait; one more is refused with QUEUE_FULL. Read at each submission. */
  readonly maxWaiting?: () => number;
  /** Whether a job that alone was stuck runs once more: it may be the machine's fault. Default: true. */
  readonly repeatsStuck?: boolean;
  /** Called after a worker was lost and its jobs were queued again or settled. */
  readonly onLost?: () => void;
}

const ATTEMPTS = 2;

/**
 * Runs jobs on one worker, cheap ones first (see `createQueue`): between batches the worker lets the cheaper job go first, so
 * a short one waits for at most one batch of a long one. `dispose` ends the worker: all jobs, later ones too, reject with
 * `AbortError`. `endWorker`, to be called while `isIdle`, frees its memory: the next job starts another one.
 */
export function createScheduler({ maxWaiting = () => 64, repeatsStuck = true, onLost, ...options }: SchedulerOptions) {
  const queue = createQueue();
  const port = createTaskPort<JobTasks>(options, requeue);
  let nextId: TaskId = 1;
  let isDisposed = false;

  const submit: Submit = (kind, input, { signal, ...submitOptions } = {}) => {
    const { pending, answer } = createPending(nextId++, kind, input, submitOptions);
    if (isDisposed) pending.abandoned(disposed());
    else if (signal?.aborted) pending.abandoned(signal.reason);
    else if (queue.waitingCount() >= maxWaiting()) pending.failed(queueFull(maxWaiting()));
    else {
      if (signal) untilSettled(answer, signal, () => cancel(pending, signal.reason));
      queue.enqueue(pending);
      start();
    }
    return answer;
  };

  function start(): void {
    for (;;) {
      const pending = queue.startNext();
      if (!pending) return;
      pending.attempts++;
      port.start(pending.run, { onProgress: pending.listen(), settle: (outcome) => settle(pending, outcome) });
    }
  }

  function settle(pending: Pending, outcome: TaskOutcome<JobTasks>): void {
    if (outcome.type === 'lost') return; // `requeue` gets all of them
    if (outcome.type === 'failed' && outcome.failure.code === 'DEVICE_LOST')
      return port.restart(outcome.failure.message);
    queue.release(pending.run.id);
    if (outcome.type === 'done') pending.done(outcome);
    else if (outcome.type === 'failed') pending.failed(outcome.failure);
    else pending.abandoned(new DOMException('The job was cancelled.', 'AbortError'));
    start();
  }

  function cancel(pending: Pending, reason: unknown): void {
    pending.abandoned(reason);
    queue.withdraw(pending);
    pending.attempts = Infinity; // not run again
    port.cancel(pending.run.id);
  }

  function requeue(loss: Loss): void {
    queue.putBack(settleLost(queue.clear(), loss, repeatsStuck));
    start();
    if (loss.cause !== null) onLost?.();
  }

  function dispose(): void {
    isDisposed = true;
    for (const pending of [...queue.clear(), ...queue.withdrawAll()]) pending.abandoned(disposed());
    port.close('the service was disposed of');
  }

  return { submit, dispose, isIdle: queue.isEmpty, endWorker: port.close };
}

/** Listens for an abort until there is an answer: a signal may outlive its jobs, and would keep them in memory. */
function untilSettled(answer: Promise<unknown>, signal: AbortSignal, onAbort: () => void): void {
  const detach = () => signal.removeEventListener('abort', onAbort);
  signal.addEventListener('abort', onAbort, { once: true });
  answer.then(detach, detach);
}

/**
 * Fails the jobs that lost their worker for the last time; returns the others, to be run again. Where the worker was lost because of
 * a known job, that does not count as an attempt of the others.
 */
function settleLost(interrupted: readonly Pending[], loss: Loss, repeatsStuck: boolean): Pending[] {
  const { reason, cause, isStuck = false, failure } = loss;
  const attempts = isStuck && !repeatsStuck && interrupted.length === 1 ? 1 : ATTEMPTS;
  return interrupted.filter((pending) => {
    if (cause !== undefined && cause !== pending.run.id) pending.attempts--;
    pending.isSuspect ||= isStuck;
    if (pending.attempts < attempts) return true;
    pending.failed(
      failure ?? {
        code: 'DEVICE_LOST',
        message: `The worker was lost${pending.attempts > 1 ? ' twice' : ''}: ${reason}`,
      },
    );
    return false;
  });
}

function queueFull(limit: number): Failure {
  return {
    code: 'QUEUE_FULL',
    message: `expected at most ${limit} waiting requests, got one more; try again later`,
  };
}

function disposed(): DOMException {
  return new DOMException('The service was disposed of.', 'AbortError');
}

/** Jobs that run at the same time at most: each holds memory for what it has computed. */
const MAX_RUNNING = 4;

/** A job that costs at most this share of each running one starts while they run. */
const CHEAP = 0.5;

/** A job that has waited this long goes before cheaper ones; a nice one then counts as a normal one. */
const AGED_MS = 10_000;
const NICE_AGED_MS = 60_000;

/**
 * Jobs that wait, and jobs that run. The cheapest is next; one that has waited for long comes before it; nice ones come last.
 * A job starts when no other runs, or when it is much cheaper than those that run or has waited for long: the worker then
 * computes its batches between theirs. Loading a model holds no job up. A nice job starts when nothing else runs. Jobs of a worker
 * that was stuck run first, each alone: so the one that never ends fails, and no other.
 */
export function createQueue(now = () => performance.now()) {
  const waiting: Pending[] = [];
  const slots = new Map<TaskId, Pending>();

  function mayStart(pending: Pending, running: readonly Pending[], nowMs: number): boolean {
    if (running.length === 0) return true;
    if (running.length >= MAX_RUNNING) return false;
    if (isAged(pending, nowMs)) return running.length === 1;
    return !pending.run.nice && running.every(({ run }) => run.nice || pending.run.cost <= CHEAP * run.cost);
  }

  return {
    waitingCount: () => waiting.length,
    isEmpty: () => waiting.length === 0 && slots.size === 0,
    enqueue: (pending: Pending) => void waiting.push(pending),
    /** Puts interrupted jobs back; they keep their age. */
    putBack: (interrupted: readonly Pending[]) => void waiting.unshift(...interrupted),
    startNext(): Pending | undefined {
      const nowMs = now();
      const all = [...slots.values()];
      const suspect = waiting.find(({ isSuspect }) => isSuspect);
      if (all.some(({ isSuspect }) => isSuspect) || (suspect && all.length > 0)) return undefined;
      const running = all.filter(({ run }) => run.kind !== 'prepare');
      let next = suspect;
      let highest: Waiting | undefined;
      for (const pending of suspect ? [] : waiting) {
        if (!mayStart(pending, running, nowMs)) continue;
        const { nice, cost, id: since } = pending.run;
        const urgency = { nice, cost, since, isOverdue: isAged(pending, nowMs) };
        if (!highest || compareUrgency(urgency, highest) < 0) [next, highest] = [pending, urgency];
      }
      if (!next) return undefined;
      waiting.splice(waiting.indexOf(next), 1);
      slots.set(next.run.id, next);
      return next;
    },
    release: (id: TaskId) => void slots.delete(id),
    /** Takes a job out of the queue; a running job stays. */
    withdraw(pending: Pending) {
      const place = waiting.indexOf(pending);
      if (place >= 0) waiting.splice(place, 1);
    },
    withdrawAll: () => waiting.splice(0),
    /** Frees all slots; returns the jobs that held them. */
    clear() {
      const running = [...slots.values()];
      slots.clear();
      return running;
    },
  };
}

function isAged({ run, submittedMs }: Pending, nowMs: number): boolean {
  return nowMs - submittedMs > (run.nice ? NICE_AGED_MS : AGED_MS);
}

/** How a job is submitted; none of it changes its answer. */
interface SubmitOptions {
  /** After all others, and paused between batches while others run; for a limited time. */
  readonly nice?: boolean;
  readonly signal?: AbortSignal;
  /** Without it the worker sends no progress. */
  readonly onProgress?: (progress: JobProgress) => void;
}

/** Runs a job, or queues it. @returns a failure as data; rejects only with the reason of an aborted signal */
export type Submit = <K extends JobKind>(
  kind: K,
  input: Jobs[K]['input'],
  options?: SubmitOptions,
) => Promise<Result<Jobs[K]['output']>>;

/** A submitted job. Its promise settles once; later calls of `done`, `failed` or `abandoned` do nothing. */
export interface Pending {
  readonly run: RunMessage;
  /** @returns what an attempt reports its progress to */
  readonly listen: () => (progress: JobProgress) => void;
  readonly done: (message: DoneMessage) => void;
  readonly failed: (failure: Failure) => void;
  readonly abandoned: (reason: unknown) => void;
  readonly submittedMs: number;
  attempts: number;
  /** Its worker was stuck, perhaps in this job. */
  isSuspect: boolean;
}

/** A job and its promise. */
export function createPending<K extends JobKind>(
  id: TaskId,
  kind: K,
  input: Jobs[K]['input'],
  { nice = false, onProgress }: SubmitOptions,
): { pending: Pending; answer: Promise<Result<Jobs[K]['output']>> } {
  const { promise, resolve, reject } = withResolvers<Result<Jobs[K]['output']>>();
  const pending: Pending = {
    // One row of the union, chosen by `kind`; TypeScript cannot correlate the two for a generic K.
    run: {
      type: 'run',
      id,
      kind,
      input,
      nice,
      cost: costOf(kind, input),
      listens: onProgress !== undefined,
    } as RunMessage,
    listen: onProgress ? onlyForward(onProgress) : () => () => undefined,
    submittedMs: performance.now(),
    // The worker answers a kind with its own output: the type of its table pairs them.
    done: ({ output }) => resolve({ ok: true, value: output as Jobs[K]['output'] }),
    failed: ({ code, message }) => resolve(failure(code, message)),
    abandoned: reject,
    attempts: 0,
    isSuspect: false,
  };
  return { pending, answer: promise };
}

/**
 * A job that runs again repeats its progress, which is reported once; its completions come in other parts then. Estimates do not
 * change `done`: they are reported once.
 */
function onlyForward(onProgress: (progress: JobProgress) => void) {
  let reported = 0;
  let hasEstimates = false;
  const written = new Map<number, Length>();
  return () => {
    const own = new Map<number, Length>(); // in this attempt
    return ({ completed, ...progress }: JobProgress): void => {
      const fresh = completed?.flatMap((part) => freshOf(part, own, written));
      const isEstimate = !hasEstimates && progress.explained !== undefined && progress.explained.estimated !== null;
      if (progress.phase === 'run' && progress.done <= reported && !isEstimate) return;
      if (progress.phase === 'run') reported = Math.max(reported, progress.done);
      hasEstimates ||= isEstimate;
      onProgress({ ...progress, ...(fresh && { completed: fresh }) });
    };
  };
}

/** Of a completion: its UTF-16 units and tokens. */
type Length = readonly [text: number, tokens: number];

/** What is new in a part of a completion. @param own, written  lengths so far of this attempt, and of all; both are brought up to date */
function freshOf(
  { index, text, tokens }: CompletePart,
  own: Map<number, Length>,
  written: Map<number, Length>,
): readonly CompletePart[] {
  const [textAt, tokensAt] = own.get(index) ?? [0, 0];
  const [textTo, tokensTo] = written.get(index) ?? [0, 0];
  const [textEnd, tokensEnd] = [textAt + text.length, tokensAt + tokens.length];
  own.set(index, [textEnd, tokensEnd]);
  written.set(index, [Math.max(textTo, textEnd), Math.max(tokensTo, tokensEnd)]);
  const part = {
    index,
    text: text.slice(Math.max(0, textTo - textAt)),
    tokens: tokens.slice(Math.max(0, tokensTo - tokensAt)),
  };
  return part.text === '' && part.tokens.length === 0 ? [] : [part];
}

/** `Promise.withResolvers`, which the oldest supported Node lacks. */
function withResolvers<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
