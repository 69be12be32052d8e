import type { JobId } from '../protocol/messages.ts';
import type { Pending } from './job.ts';

/** Jobs that wait and jobs that run. */
export interface Queue {
  /** Jobs that wait. */
  readonly waitingCount: number;
  enqueue(pending: Pending): void;
  /** Puts interrupted jobs back in front of all others. */
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

/**
 * Two queues and two slots: a normal job starts when no normal job runs; a nice one starts when nothing runs at all. A normal
 * job can start beside a nice one, but not the other way round.
 */
export function createQueue(): Queue {
  const waiting: Pending[] = [];
  const slots = new Map<JobId, Pending>();
  const isFree = (nice: boolean) => ![...slots.values()].some(({ run }) => nice || !run.nice);
  const take = (nice: boolean) => {
    const place = isFree(nice) ? waiting.findIndex(({ run }) => run.nice === nice) : -1;
    return place < 0 ? undefined : waiting.splice(place, 1)[0];
  };
  return {
    get waitingCount() {
      return waiting.length;
    },
    enqueue: (pending) => void waiting.push(pending),
    putBack: (interrupted) => void waiting.unshift(...interrupted),
    startNext() {
      const next = take(false) ?? take(true);
      if (next) slots.set(next.run.id, next);
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
