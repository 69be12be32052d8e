import { FailureError } from '../../src/contract/failure.ts';

/**
 * Refuses a model: one that cannot be explained exactly is not run.
 *
 * @param reason  the file, operator or structure at fault, and what was expected; shown to people
 * @throws {FailureError} MODEL_UNAVAILABLE
 */
export function refuse(reason: string): never {
  throw new FailureError('MODEL_UNAVAILABLE', reason);
}

/** @throws {FailureError} MISSING_CAPABILITY where the graph runs as it was exported */
export function refuseUnchanged({ keptBecause }: { readonly keptBecause?: string }, wanted: string): void {
  if (keptBecause === undefined) return;
  throw new FailureError('MISSING_CAPABILITY', `model: expected one with ${wanted}, got one without: ${keptBecause}`);
}
