/** How long a task computes before it lets others in. */
const TURN_MS = 40;

/** What a long computation is given. */
export interface Turns {
  /** Lets messages in when it is time for that. @throws {DOMException} `AbortError` when the task was cancelled */
  pause(): Promise<void>;
}

/** Turns of a task; `now` in milliseconds. */
export function createTurns(signal: AbortSignal, now: () => number = () => performance.now()): Turns {
  let began = now();
  return {
    async pause() {
      signal.throwIfAborted();
      if (now() - began < TURN_MS) return;
      await macrotask();
      began = now();
      signal.throwIfAborted();
    },
  };
}

/** Messages arrive between tasks, never between microtasks. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
