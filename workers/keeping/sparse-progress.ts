import type { FetchProgress } from '../../src/protocol/keeping/keeping-tasks.ts';

/** Progress is told so often at most, in milliseconds. */
export const TELL_MS = 100;

/** Progress of one task on its way to the page. */
export interface SparseProgress {
  tell(progress: FetchProgress): void;
  /** Nothing is told any more: what follows is the task's last message. */
  end(): void;
}

/**
 * Tells the first progress of a phase and its last at once, and in between the newest once in each interval: where a connection
 * stalls, the page shows all that has come. The page's own throttle knows no phases, and is no worker's to import.
 */
export function sparseProgress(send: (progress: FetchProgress) => void): SparseProgress {
  let phase: FetchProgress['phase'] | null = null;
  let newest: FetchProgress | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sendNewest = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!newest) return;
    send(newest);
    newest = null;
    timer = setTimeout(sendNewest, TELL_MS);
  };
  let hasEnded = false;
  return {
    tell(progress) {
      if (hasEnded) return;
      newest = progress;
      if (timer === undefined || progress.phase !== phase || progress.done === progress.total) sendNewest();
      phase = progress.phase;
    },
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
