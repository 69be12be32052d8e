import type { JobAnswer, JobId, ToWorker } from '../protocol/messages.ts';
import { createPending, type Pending, type Submit } from './job.ts';
import type { Locks } from './life-lock.ts';
import { createRestartableWorker, type RestartableWorker } from './restartable-worker.ts';
import { createQueue } from './queue.ts';
import type { WorkerPort } from './spawn.ts';

/** See `createScheduler`. */
export interface SchedulerOptions {
  readonly spawn: () => WorkerPort;
  /** Jobs that may wait; one more is refused with QUEUE_FULL. Read at each submission. */
  readonly maxWaiting?: () => number;
  /** How long a cancelled job may keep its slot before its worker counts as stuck. */
  readonly graceMs?: number;
  /** The least silence after which a worker that owes an answer counts as stuck. */
  readonly silenceMs?: number;
  /** Told after a worker was lost and its jobs were queued again or settled. */
  readonly onLost?: () => void;
  readonly locks?: Locks | undefined;
}

/** Decides when jobs run. */
export interface Scheduler {
  readonly submit: Submit;
  /** Ends the worker under its jobs, as a crash would: they are run again once, on a new one. */
  restart(reason: string): void;
  /** Ends the worker for good: jobs that wait or run are abandoned with `AbortError`, and so is every later one. */
  dispose(): void;
}

/** A job is run a second time when its worker died under it, never a third. */
const ATTEMPTS = 2;

/** A pass of a long prompt takes seconds where the processor is slow and shared; so long it takes nowhere. */
const SILENCE_MS = 60_000;

/**
 * Jobs on one worker, cheap ones first and beside costly ones (see `createQueue`): between batches the worker lets the
 * cheaper job go first, so a short one waits for at most a batch of a long one. A job whose worker was lost runs again once,
 * on a new worker.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { spawn, maxWaiting = () => 64, graceMs = 60_000, silenceMs = SILENCE_MS, onLost } = options;
  const queue = createQueue();
  const worker = createRestartableWorker({ ...options, spawn, receive, lost: restart, silenceMs });
  let nextId: JobId = 1;
  let isDisposed = false;

  const submit: Submit = (kind, input, { signal, ...options } = {}) => {
    const { pending, answer } = createPending(nextId++, kind, input, options);
    if (isRefused(pending, { isDisposed, signal, waiting: queue.waitingCount, limit: maxWaiting() })) return answer;
    if (signal) untilSettled(answer, signal, () => cancel(pending, signal.reason));
    queue.enqueue(pending);
    start();
    return answer;
  };

  function start(): void {
    for (let next = queue.startNext(); next; next = queue.startNext()) {
      next.attempts++;
      const problem = problemPosting(next.run, worker);
      if (problem !== null) return restart(problem, next);
    }
  }

  function receive(message: JobAnswer): void {
    const pending = queue.running(message.id);
    if (!pending) return; // a job that a restart has already settled
    if (message.type === 'progress') return pending.progress(message.progress);
    if (message.type === 'failed' && message.failure.code === 'DEVICE_LOST') return restart(message.failure.message);
    queue.release(message.id);
    settle(pending, message);
    start();
  }

  function cancel(pending: Pending, reason: unknown): void {
    const isRunning = () => queue.running(pending.run.id) === pending;
    pending.abandoned(reason);
    queue.withdraw(pending);
    if (!isRunning()) return;
    pending.attempts = ATTEMPTS; // nobody waits for a second try
    const problem = problemPosting({ type: 'cancel', id: pending.run.id }, worker);
    if (problem !== null) return restart(problem, pending);
    setTimeout(() => isRunning() && restart('a cancelled job did not stop', pending), graceMs);
  }

  function restart(reason: string, stuck?: Pending): void {
    worker.close();
    queue.putBack(settleLost(queue.clear(), reason, stuck));
    start();
    onLost?.();
  }

  function dispose(): void {
    isDisposed = true;
    worker.close();
    for (const pending of [...queue.clear(), ...queue.withdrawAll()]) pending.abandoned(disposed());
  }

  return { submit, restart, dispose };
}

/** Why a message did not reach the worker: the worker did not start, or the message cannot be cloned. */
function problemPosting(message: ToWorker, worker: RestartableWorker): string | null {
  try {
    worker.post(message);
    return null;
  } catch (error) {
    return String(error);
  }
}

interface Admission {
  readonly isDisposed: boolean;
  readonly signal: AbortSignal | undefined;
  readonly waiting: number;
  readonly limit: number;
}

/** Settles a job that must not even wait. */
function isRefused(pending: Pending, { isDisposed, signal, waiting, limit }: Admission): boolean {
  if (isDisposed) pending.abandoned(disposed());
  else if (signal?.aborted) pending.abandoned(signal.reason);
  else if (waiting >= limit) pending.failed(queueFull(limit));
  else return false;
  return true;
}

/** A worker that is ended for the sake of one job was not lost by the others: for them this counts as no attempt. */
function excuseAllBut(stuck: Pending, interrupted: readonly Pending[]): void {
  for (const neighbour of interrupted) if (neighbour !== stuck) neighbour.attempts--;
}

/** Listens for an abort as long as there is no answer: a signal may outlive its jobs, and would keep them. */
function untilSettled(answer: Promise<unknown>, signal: AbortSignal, onAbort: () => void): void {
  const detach = () => signal.removeEventListener('abort', onAbort);
  signal.addEventListener('abort', onAbort, { once: true });
  answer.then(detach, detach);
}

/**
 * Fails the jobs whose worker died a second time; returns those that may be tried again.
 *
 * @param stuck  for whose sake the worker was ended
 */
function settleLost(interrupted: readonly Pending[], reason: string, stuck: Pending | undefined): Pending[] {
  if (stuck) excuseAllBut(stuck, interrupted);
  for (const { attempts, failed } of interrupted)
    if (attempts >= ATTEMPTS) failed({ code: 'DEVICE_LOST', message: `The worker was lost twice: ${reason}` });
  return interrupted.filter(({ attempts }) => attempts < ATTEMPTS);
}

type Terminal = Exclude<JobAnswer, { type: 'progress' }>;

function settle(pending: Pending, message: Terminal): void {
  switch (message.type) {
    case 'done':
      return pending.done(message);
    case 'failed':
      return pending.failed(message.failure);
    case 'cancelled':
      return pending.abandoned(new DOMException('The job was cancelled.', 'AbortError'));
  }
}

function disposed(): DOMException {
  return new DOMException('The service was disposed of.', 'AbortError');
}

function queueFull(limit: number) {
  const message = `expected at most ${limit} waiting requests, got one more; try again later`;
  return { code: 'QUEUE_FULL', message } as const;
}
