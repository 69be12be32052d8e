/** On the page's thread: two slices are still far below what browsers count as a long task, 50 ms. */
const SLICE_MS = 12;

/** Ends the task when it has run long enough, so that messages, input and drawing are handled in between. */
export type Pause = () => Promise<void>;

/**
 * The pauses of long work that begins now.
 *
 * @param sliceMs   the longest time between two pauses
 * @param endTask  what a pause waits for; it may reject, as `Pause` then does
 */
export function createPause(sliceMs = SLICE_MS, endTask: Pause = nextTask, now = () => performance.now()): Pause {
  let beganMs = now();
  return async () => {
    if (now() - beganMs < sliceMs) return;
    await endTask();
    beganMs = now();
  };
}

/** Ends the task. By a message, because browsers delay nested timers by four milliseconds. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
