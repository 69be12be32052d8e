/** A download that brings nothing for so many ms is given up: whoever waits shall hear of it, and can try again. */
const STALL_MS = 30_000;

/** Watches one download. */
export interface StallWatch {
  /** Aborted when the download stalls, or with the caller's own signal. */
  readonly signal: AbortSignal;
  readonly hasStalled: boolean;
  /** Something has come. */
  moved(): void;
  /** The download is over. */
  end(): void;
}

/** Begins to watch; the first byte must come in time too. */
export function watchForStall(signal?: AbortSignal): StallWatch {
  const stalled = new AbortController();
  const start = () => setTimeout(() => stalled.abort(), STALL_MS);
  let timer = start();
  return {
    signal: signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal,
    get hasStalled() {
      return stalled.signal.aborted;
    },
    moved() {
      clearTimeout(timer);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}

/** For people. */
export function stallMessage(url: string): string {
  return `${url} has sent nothing for ${STALL_MS / 1000} s; check the connection and try again`;
}
