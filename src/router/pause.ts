/** Length of a stretch of work, in ms; two of them are still far below a long task. */
const STRETCH_MS = 12;

/** Ends the task once a stretch of work is over, so that input and drawing come in between. */
export type Pause = () => Promise<void>;

/** Pauses for long work on the page's own thread; the first stretch begins now. */
export function createPause(now = () => performance.now()): Pause {
  let beganMs = now();
  return async () => {
    if (now() - beganMs < STRETCH_MS) return;
    await nextTask();
    beganMs = now();
  };
}

/** Ends the task in front of work that takes a stretch of its own and cannot be divided. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
