import type { ServiceSettings } from '../contract/settings.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Device } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/job.ts';

/** What the router works with. */
export interface RouterOptions {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  /** Read at each request, so that a replaced token holds at once. */
  readonly token: () => string;
  /** Read at each request, so that a change holds from the next one on. */
  readonly settings: () => ServiceSettings;
  readonly device?: Device;
}
