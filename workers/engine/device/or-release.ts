import { FailureError } from '../../../src/contract/failure.ts';

/**
 * Goes on with what was opened, and releases it when that fails: the worker lives on, and would keep it. What a lost device
 * held goes with its worker, and cannot be released.
 *
 * @throws what `goOn` throws
 */
export async function orRelease<Value>(release: () => Promise<void>, goOn: () => Promise<Value>): Promise<Value> {
  try {
    return await goOn();
  } catch (error) {
    const isLost = error instanceof FailureError && error.failure.code === 'DEVICE_LOST';
    if (!isLost) await release().catch(console.error); // why it could not go on says more
    throw error;
  }
}
