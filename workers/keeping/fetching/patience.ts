import { BusyError } from '../hub/hub-request.ts';
import { ProblemError } from '../problem.ts';

/** Attempts in a row that bring nothing. */
const ATTEMPTS = 5;

/** The first wait; each further one in a row is twice as long. */
const FIRST_WAIT_MS = 500;

/** No hub is waited for longer than this at a time. */
const LONGEST_WAIT_MS = 60_000;

/** See `patiently`. */
export interface PatienceOptions {
  readonly signal: AbortSignal;
  /** Grows while an attempt brings something: such an attempt does not count as one in vain. */
  readonly progress: () => number;
  readonly onWait: () => void;
  /** Tests hand in a wait of their own. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Tries again after what may pass: a cut connection, a hub that is busy. @throws what the last attempt threw */
export async function patiently(
  attempt: () => Promise<void>,
  { signal, progress, onWait, wait = waited }: PatienceOptions,
): Promise<void> {
  for (let inVain = 0, before = progress(); ;) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProblemError) || (error.kind !== 'unreachable' && error.kind !== 'busy')) throw error;
      inVain = progress() > before ? 0 : inVain + 1;
      before = progress();
      if (inVain >= ATTEMPTS) throw error;
      onWait();
      const asked = error instanceof BusyError ? error.waitMs : null;
      await wait(Math.min(LONGEST_WAIT_MS, asked ?? FIRST_WAIT_MS * 2 ** inVain), signal);
    }
  }
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
