import type { ServiceSettings } from '../contract/settings.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Device } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/job.ts';

/** What the router needs. */
export interface RouterOptions {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  /** Read at each request, so that a new token applies at once. */
  readonly token: () => string;
  /** Read at each request, so that a change applies to the next one. */
  readonly settings: () => ServiceSettings;
  /** What models run on here, read at each request. */
  readonly device?: () => Device;
  /** Where the local server takes requests for its engine; left out: there is none. */
  readonly engineUrl?: string | undefined;
}
