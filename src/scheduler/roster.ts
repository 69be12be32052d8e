import type { JobId } from '../protocol/messages.ts';
import type { Pending } from './job.ts';

/** Who waits and who runs. */
export interface Roster {
  /** Jobs that wait. */
  readonly waitingCount: number;
  enqueue(pending: Pending): void;
  /** Puts interrupted jobs back in front of all others. */
  putBack(interrupted: readonly Pending[]): void;
  /** Seats the next job that may start, if any. */
  seatNext(): Pending | undefined;
  seated(id: JobId): Pending | undefined;
  /** Frees a job's seat. */
  leave(id: JobId): void;
  /** Takes a job out of the queue; a seated job stays. */
  withdraw(pending: Pending): void;
  /** Takes all jobs out of the queue. */
  withdrawAll(): Pending[];
  /** Frees all seats at once; answers with those who sat there. */
  clear(): Pending[];
}

/**
 * Two queues and two seats: a normal job starts when no normal job runs; a nice one when nothing runs at all. A normal
 * job may so start beside a nice one, never the other way round.
 */
export function createRoster(): Roster {
  const waiting: Pending[] = [];
  const seats = new Map<JobId, Pending>();
  const isFree = (nice: boolean) => ![...seats.values()].some(({ run }) => nice || !run.nice);
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
    seatNext() {
      const next = take(false) ?? take(true);
      if (next) seats.set(next.run.id, next);
      return next;
    },
    seated: (id) => seats.get(id),
    leave: (id) => void seats.delete(id),
    withdraw(pending) {
      const place = waiting.indexOf(pending);
      if (place >= 0) waiting.splice(place, 1);
    },
    withdrawAll: () => waiting.splice(0),
    clear() {
      const seated = [...seats.values()];
      seats.clear();
      return seated;
    },
  };
}
