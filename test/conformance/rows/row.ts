import type { Ask } from '../transport/ask.ts';

/** One rule of the contract, whatever the transport and the model. */
export interface Row {
  /** The rule in a sentence; names the test. */
  readonly rule: string;
  /** Where it is written: a section of the contract's interface or facts. */
  readonly source: string;
  /** @throws {AssertionError} when the service breaks it */
  check(ask: Ask): Promise<void>;
}

/** A row; short, because a suite is a list of them. */
export function row(source: string, rule: string, check: Row['check']): Row {
  return { source, rule, check };
}
