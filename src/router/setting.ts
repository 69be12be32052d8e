import type { BackendKind } from '../protocol/jobs.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Submit } from '../scheduler/job.ts';

/** What the router needs from the page. */
export interface Setting {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  /** Read at each request, so that a replaced token holds at once. */
  readonly token: () => string;
  /** The deployment's own name, a value of `hosting` beside `operator`. */
  readonly operator: string;
  /** A request that takes longer is answered 408. */
  readonly timeoutMs: number;
  /** Overrides the measured choice of device. */
  readonly backend?: BackendKind;
}
