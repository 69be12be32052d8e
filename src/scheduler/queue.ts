import type { JobId } from '../protocol/messages.ts';
import type { Pending } from './job.ts';

/** Jobs that wait and jobs that run. */
export interface Queue {
  /** Jobs that wait. */
  readonly waitingCount: number;
  enqueue(pending: Pending): void;
  /** Puts interrupted jobs back; they keep their age. */
  putBack(interrupted: readonly Pending[]): void;
  /** Gives a slot to the next job that may start, if any. */
  startNext(): Pending | undefined;
  running(id: JobId): Pending | undefined;
  /** Frees a job's slot. */
  release(id: JobId): void;
  /** Takes a job out of the queue; a running job stays. */
  withdraw(pending: Pending): void;
  /** Takes all jobs out of the queue. */
  withdrawAll(): Pending[];
  /** Frees all slots at once; returns the jobs that held them. */
  clear(): Pending[];
}

/** Jobs that run side by side at most: each holds memory for what it has computed. */
const MOST_RUNNING = 4;

/** A job that costs no more than this share of any that runs starts beside them. */
const CHEAP = 0.5;

/** A job that has waited for so many ms goes before cheaper ones; a nice one counts as a normal one then. */
const AGED_MS = 10_000;
const NICE_AGED_MS = 60_000;

/**
 * The cheapest job is next; one that has waited for long comes before it; nice ones come last. A job starts when no other
 * runs, or beside those that run when it is much cheaper or has waited for long: the worker then computes its batches between
 * theirs. A model that is being loaded holds nobody up. A nice job starts when nothing else runs.
 */
export function createQueue(now = () => performance.now()): Queue {
  const waiting: Pending[] = [];
  const slots = new Map<JobId, Pending>();

  /** Whether a job may start beside those that run. */
  function mayStart(pending: Pending, running: readonly Pending[], nowMs: number): boolean {
    if (running.length === 0) return true;
    if (running.length >= MOST_RUNNING) return false;
    if (isAged(pending, nowMs)) return running.length === 1;
    return !pending.run.nice && running.every(({ run }) => run.nice || pending.run.cost <= CHEAP * run.cost);
  }

  return {
    get waitingCount() {
      return waiting.length;
    },
    enqueue: (pending) => void waiting.push(pending),
    putBack: (interrupted) => void waiting.unshift(...interrupted),
    startNext() {
      const nowMs = now();
      const running = [...slots.values()].filter(({ run }) => run.kind !== 'prepare');
      let next: Pending | undefined;
      for (const pending of waiting)
        if (mayStart(pending, running, nowMs) && !(next && compare(next, pending, nowMs) <= 0)) next = pending;
      if (!next) return undefined;
      waiting.splice(waiting.indexOf(next), 1);
      slots.set(next.run.id, next);
      return next;
    },
    running: (id) => slots.get(id),
    release: (id) => void slots.delete(id),
    withdraw(pending) {
      const place = waiting.indexOf(pending);
      if (place >= 0) waiting.splice(place, 1);
    },
    withdrawAll: () => waiting.splice(0),
    clear() {
      const running = [...slots.values()];
      slots.clear();
      return running;
    },
  };
}

function compare(a: Pending, b: Pending, nowMs: number): number {
  const [aIsAged, bIsAged] = [isAged(a, nowMs), isAged(b, nowMs)];
  if (aIsAged || bIsAged) return Number(bIsAged) - Number(aIsAged) || a.run.id - b.run.id;
  return Number(a.run.nice) - Number(b.run.nice) || a.run.cost - b.run.cost || a.run.id - b.run.id;
}

function isAged({ run, submittedMs }: Pending, nowMs: number): boolean {
  return nowMs - submittedMs > (run.nice ? NICE_AGED_MS : AGED_MS);
}
