import { FailureError } from '../../../src/contract/failure.ts';

/**
 * Refuses a network: nothing that cannot be explained exactly is run.
 *
 * @param reason  the operator or structure in the way, and what it would need; shown to people
 */
export function refuse(reason: string): never {
  throw new FailureError('MODEL_UNAVAILABLE', reason);
}
