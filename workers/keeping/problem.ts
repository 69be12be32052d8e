import { FailureError } from '../../src/contract/failure.ts';
import type { KeepingProblem, KeepingProblemKind } from '../../src/protocol/keeping/keeping-tasks.ts';

/** A problem on its way to the page. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly kind: KeepingProblemKind;

  constructor(kind: KeepingProblemKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** What an error means for people. */
export function problemFrom(error: unknown): KeepingProblem {
  if (error instanceof ProblemError) return { kind: error.kind, detail: error.message };
  if (error instanceof FailureError) return { kind: 'wrong', detail: error.message };
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: error instanceof DOMException && error.name === 'QuotaExceededError' ? 'space' : 'other', detail };
}
