import { FailureError } from '../../src/contract/failure.ts';
import { shortText } from '../../src/contract/shown.ts';

/** Characters of a reason: names in it come from files of others. */
const MAX_REASON = 1000;

/**
 * Refuses a model: one that cannot be explained exactly is not run.
 *
 * @param reason  the file, operator or structure at fault, and what was expected; shown to people
 * @throws {FailureError} MODEL_UNAVAILABLE
 */
export function refuse(reason: string): never {
  throw new FailureError('MODEL_UNAVAILABLE', shortText(reason, MAX_REASON));
}

/** @throws {FailureError} MISSING_CAPABILITY where the graph runs as it was exported */
export function refuseUnchanged({ keptBecause }: { readonly keptBecause?: string }, wanted: string): void {
  if (keptBecause === undefined) return;
  throw new FailureError('MISSING_CAPABILITY', `model: expected one with ${wanted}, got one without: ${keptBecause}`);
}
