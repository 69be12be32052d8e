import { FailureError } from '../../../src/contract/failure.ts';
import type { SessionDevice } from './session.ts';

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

/** Starts a pass and settles it, whatever becomes of the device. */
export type Guard = <Value>(pass: () => Promise<Value>) => Promise<Value>;

const unguarded: Guard = (pass) => pass();

/**
 * Fails passes on a lost device with DEVICE_LOST. The current pass never settles by itself, and another one would
 * block the thread for good: none is started. This thread's ONNX Runtime is then of no more use, a new worker is needed.
 */
export function guardOf(on: SessionDevice): Guard {
  if (on.kind === 'wasm') return unguarded;
  let failure: FailureError | undefined;
  const lost = on.device.lost.then(({ reason, message }): never => {
    failure = new FailureError('DEVICE_LOST', `the GPU was lost (${reason}): ${message}`);
    throw failure;
  });
  lost.catch(() => undefined); // losing it while nothing runs is no unhandled rejection
  return async (pass) => {
    if (failure) throw failure;
    return Promise.race([pass(), lost]);
  };
}
