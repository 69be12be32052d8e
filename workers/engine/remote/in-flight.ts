import type { RunQueue } from '../session/run-queue.ts';

/** Requests that are under way at once. */
export interface InFlight {
  /** Starts tasks in order, each as soon as there is room. */
  readonly queue: RunQueue;
  /** How many may be under way now, 1 … 16. */
  limit(): number;
  /** A request of so much work took so many ms. */
  measured(work: number, ms: number): void;
  /** The engine has more to do than it can: it said so, or broke off. */
  overloaded(): void;
}

const LIMITS = { first: 4, least: 1, most: 16 } as const;

/** While requests take at most so many times as long as the best did, one more may be under way. */
const CALM = 2;

/** From here on they wait for each other at the engine more than they gain. */
const CROWDED = 4;

/** The best time is forgotten by so much with each request: the engine or the way there may have changed. */
const FORGET = 1.02;

/**
 * Learns from latency how many requests an engine serves at once: more while answers come as quickly as the quickest, fewer
 * when they come late, half when the engine refuses work.
 *
 * @source after Brakmo and Peterson 1995 (TCP Vegas): delay above the least delay seen means a queue
 */
export function createInFlight(): InFlight {
  const waiting: (() => void)[] = [];
  let running = 0;
  let limit: number = LIMITS.first;
  let best = Infinity;
  const allow = (wanted: number) => (limit = Math.min(LIMITS.most, Math.max(LIMITS.least, wanted)));
  const whole = () => Math.floor(limit);
  const startNext = () => {
    while (running < whole() && waiting.length > 0) {
      running++;
      waiting.shift()?.();
    }
  };
  return {
    async queue(task) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        startNext();
      });
      try {
        return await task();
      } finally {
        running--;
        startNext();
      }
    },
    limit: whole,
    measured(work, ms) {
      const pace = ms / Math.max(1, work);
      // Alone under way, a request waits for none of ours: however long it took, that is the pace of now.
      best = whole() === 1 ? pace : Math.min(best * FORGET, pace);
      if (pace <= CALM * best) allow(limit + 1 / limit);
      else if (pace > CROWDED * best) allow(limit - 1 / limit);
      startNext();
    },
    overloaded: () => void allow(limit / 2),
  };
}
