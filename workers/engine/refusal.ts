import { FailureError } from '../../src/contract/failure.ts';

/**
 * Refuses a network: nothing that cannot be explained exactly is run.
 *
 * @param reason  the operator or structure in the way, and what it would need; shown to people
 */
export function refuse(reason: string): never {
  throw new FailureError('MODEL_UNAVAILABLE', reason);
}

/** @throws {FailureError} MISSING_CAPABILITY where the graph was left as it is */
export function refuseIfKept({ keptBecause }: { readonly keptBecause?: string }, wanted: string): void {
  if (keptBecause === undefined) return;
  throw new FailureError('MISSING_CAPABILITY', `model: expected one with ${wanted}, got one without: ${keptBecause}`);
}
