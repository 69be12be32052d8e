/** A stretch of work that nobody feels; two of them are still far below a long task. */
const STRETCH_MS = 12;

/** Waits for the next task once a stretch of work is over, so that input and drawing come in between. */
export type Breathe = () => Promise<void>;

/** Starts a stretch. */
export function createBreathe(now = () => performance.now()): Breathe {
  let beganMs = now();
  return async () => {
    if (now() - beganMs < STRETCH_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    beganMs = now();
  };
}
