import type { ServiceSettings } from '../contract/settings.ts';
import type { BackendKind } from '../protocol/jobs.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Submit } from '../scheduler/job.ts';

/** What the router needs from the page. */
export interface Setting {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  /** Read at each request, so that a replaced token holds at once. */
  readonly token: () => string;
  /** Read at each request, so that a change holds from the next one on. */
  readonly settings: () => ServiceSettings;
  /** Overrides the measured choice of device. */
  readonly backend?: BackendKind;
}
