import { FailureError } from '../../../src/contract/failure.ts';
import { isOutOfMemory, outOfMemory } from './memory.ts';

/** Starts a pass and settles it, whatever becomes of the device. */
export type Guard = <Value>(pass: () => Promise<Value>) => Promise<Value>;

/** What a lost GPU breaks off fails before the loss is announced: a failure waits for so many ms. */
const ANNOUNCED_MS = 2_000;

/**
 * Tells apart what can go wrong in a pass.
 *
 * - A lost GPU is DEVICE_LOST, whether the pass fails before the loss is announced or never settles by itself. No other
 *   pass is started, because it would block the thread for good.
 * - A trap in WebAssembly is DEVICE_LOST too: the instance is in an unknown state.
 * - Memory that cannot be had is OUT_OF_MEMORY. The runtime goes on, so a smaller pass may be tried.
 *
 * After DEVICE_LOST this thread's ONNX Runtime is of no more use: a new worker is needed.
 *
 * @param gpu  null: WebAssembly
 */
export function guardOf(gpu: Pick<GPUDevice, 'lost'> | null): Guard {
  let failure: FailureError | undefined;
  const lost = gpu?.lost.then(({ reason, message }): never => {
    failure = new FailureError('DEVICE_LOST', `the GPU was lost (${reason}): ${message}`);
    throw failure;
  });
  lost?.catch(() => undefined); // losing it while nothing runs is no unhandled rejection
  return async (pass) => {
    if (failure) throw failure;
    try {
      return await (lost ? Promise.race([pass(), lost]) : pass());
    } catch (error) {
      if (lost) await Promise.race([lost, elapsed(ANNOUNCED_MS)]);
      throw namedFailure(error);
    }
  };
}

function namedFailure(error: unknown): unknown {
  if (isOutOfMemory(error)) return outOfMemory(error);
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  return new FailureError('DEVICE_LOST', `WebAssembly broke off: ${error.message}`);
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
