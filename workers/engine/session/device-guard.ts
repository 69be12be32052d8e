import { FailureError } from '../../../src/contract/failure.ts';
import type { SessionDevice } from './session.ts';

/** Starts a pass and settles it, whatever becomes of the device. */
export type Guard = <Value>(pass: () => Promise<Value>) => Promise<Value>;

const unguarded: Guard = (pass) => pass();

/**
 * Fails passes on a lost device with DEVICE_LOST. The pass under way never settles by itself, and another one would
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
