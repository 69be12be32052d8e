import { nextTask } from './next-task.ts';

/** What decides when a run has its turn. */
export interface Ranked {
  /** Gives way to all that are not. */
  readonly nice: boolean;
  /** Estimated work; the cheaper run goes first. */
  readonly cost: number;
}

/** Runs of one thread take turns, a batch each. */
export interface Turns {
  /**
   * Ends a run's turn, lets messages in, and waits for its next one.
   *
   * @param signal  ends the wait without a turn
   */
  next(run: Ranked, signal: AbortSignal): Promise<void>;
  /** The run is over, with or without a turn. */
  leave(run: Ranked): void;
}

/**
 * A run that has waited for so many ms, and for as long as its last turn took, is next, whatever it costs. So every run
 * goes on, and cheap ones, however many they are, get half of the time at least.
 */
const PATIENCE_MS = 1_000;
const NICE_PATIENCE_MS = 10_000;

/**
 * After a cheap run a costly one waits for as long as that run's turn took, within these limits: a caller that sends one
 * request after the other has the next one ready by then, and would else wait for a whole batch each time.
 *
 * @source Iyer and Druschel 2001, anticipatory scheduling
 */
const LINGER_MS = { least: 10, most: 100 } as const;

/** A run that costs so many times more than the last one is worth lingering for. */
const COSTLY = 4;

interface Waiter {
  readonly run: Ranked;
  readonly sinceMs: number;
  readonly patienceMs: number;
  /** Ends the wait. */
  readonly go: () => void;
}

/**
 * The cheapest waiting run goes first, of equal ones the one that asked first; nice ones come last. A run without a turn that
 * does not ask for one, such as one whose model is loading, holds nobody up.
 */
export function createTurns(now = () => performance.now()): Turns {
  const waiting: Waiter[] = [];
  const lastTurnMs = new WeakMap<Ranked, number>();
  let holder: Ranked | null = null;
  let heldSinceMs = 0;
  let newest = 0;

  /**
   * Chooses the next run in a task to come. Only the newest of these tasks counts: an older one would give a turn away
   * before the messages in front of the newest were read.
   */
  function pickIn(task: Promise<void>): void {
    const own = ++newest;
    void task.then(() => own === newest && pick());
  }

  /** Frees the turn if it is this run's. */
  function release(run: Ranked): boolean {
    if (holder !== run) return false;
    holder = null;
    lastTurnMs.set(run, now() - heldSinceMs);
    return true;
  }

  function pick(): void {
    if (holder !== null) return;
    const [first] = waiting.toSorted((a, b) => compare(a, b, now()));
    if (!first) return;
    holder = first.run;
    heldSinceMs = now();
    first.go();
  }

  return {
    async next(run, signal) {
      release(run);
      await new Promise<void>((resolve) => {
        const patienceMs = Math.max(run.nice ? NICE_PATIENCE_MS : PATIENCE_MS, lastTurnMs.get(run) ?? 0);
        const waiter: Waiter = { run, sinceMs: now(), patienceMs, go: leaveQueue };
        function leaveQueue() {
          signal.removeEventListener('abort', leaveQueue);
          remove(waiting, waiter);
          resolve();
        }
        waiting.push(waiter);
        signal.addEventListener('abort', leaveQueue);
        // Only then is it chosen: a cheaper run may be among the messages.
        pickIn(nextTask());
      });
    },
    leave(run) {
      if (!release(run)) return;
      const lingers = waiting.length > 0 && waiting.every(({ run: { cost } }) => cost > COSTLY * run.cost);
      const lingerMs = Math.min(LINGER_MS.most, Math.max(LINGER_MS.least, lastTurnMs.get(run) ?? 0));
      pickIn(lingers ? elapsed(lingerMs) : nextTask());
    },
  };
}

function compare(a: Waiter, b: Waiter, nowMs: number): number {
  const [aIsOverdue, bIsOverdue] = [isOverdue(a, nowMs), isOverdue(b, nowMs)];
  if (aIsOverdue || bIsOverdue) return Number(bIsOverdue) - Number(aIsOverdue) || a.sinceMs - b.sinceMs;
  return Number(a.run.nice) - Number(b.run.nice) || a.run.cost - b.run.cost || a.sinceMs - b.sinceMs;
}

function isOverdue({ sinceMs, patienceMs }: Waiter, nowMs: number): boolean {
  return nowMs - sinceMs > patienceMs;
}

function remove(waiting: Waiter[], waiter: Waiter): void {
  const place = waiting.indexOf(waiter);
  if (place >= 0) waiting.splice(place, 1);
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
