/** Runs tasks one at a time, in order of arrival. */
export type RunQueue = <Value>(task: () => Promise<Value>) => Promise<Value>;

/** A queue of its own. A task that fails does not stop those behind it. */
export function createRunQueue(): RunQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}

/**
 * The queue of this thread's ONNX Runtime: all its sessions share one WebAssembly instance, which refuses a second run
 * while one waits for the GPU ("Session already started").
 */
export const runtimeQueue: RunQueue = createRunQueue();
