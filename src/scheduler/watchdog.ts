/** Notices when a worker that owes an answer has said nothing for too long. */
export interface Watchdog {
  /** The worker owes an answer, or has said something: the wait starts again, and never ends earlier for it. */
  heard(): void;
  /** The worker has said for how long it expects to be silent. */
  expects(ms: number): void;
  /** Nothing is owed. */
  rest(): void;
}

/** See `createWatchdog`. */
export interface WatchdogOptions {
  /** The least silence that counts, in ms. */
  readonly silenceMs: number;
  /** Called once per silence. */
  readonly onSilent: () => void;
  readonly now?: () => number;
}

/** A pass may take so many times longer than the passes before it: other programs want the processor too. */
const FACTOR = 10;

/** A timer that fires so much later than it was set for tells of a page that slept or was throttled. */
const LATE_MS = 2_000;

/**
 * Silence counts from the last word of the worker. A worker computes a pass in one piece and can say nothing
 * meanwhile, so the limit follows from what it expects of the pass, and is never below `silenceMs`. After a late timer
 * the worker gets its time once more, because it may have slept as the page did.
 */
export function createWatchdog({ silenceMs, onSilent, now = () => performance.now() }: WatchdogOptions): Watchdog {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let deadline = 0;
  let isSecondChance = false;

  const fire = () => {
    const isLate = now() > deadline + LATE_MS;
    if (!isLate || isSecondChance) return onSilent();
    isSecondChance = true;
    set(now() + silenceMs);
  };
  const set = (next: number) => {
    clearTimeout(timer);
    deadline = next;
    timer = setTimeout(fire, deadline - now());
  };
  return {
    heard() {
      isSecondChance = false;
      set(Math.max(deadline, now() + silenceMs));
    },
    expects(ms) {
      isSecondChance = false;
      set(now() + Math.max(silenceMs, FACTOR * ms));
    },
    rest() {
      clearTimeout(timer);
      deadline = 0;
    },
  };
}
