import type { Capability, Model, Tier } from '../models/model.ts';

/** Look at a folder before it is loaded: what it can be used for, or why not. */
export interface InspectJob {
  readonly name: string;
  /** As `Model.folder`. */
  readonly folder: string;
  /** Bytes of its files, by their paths in it. */
  readonly files: Readonly<Record<string, number>>;
}

/** What a folder's configuration and graph tell. */
export interface Inspection {
  readonly tier: Tier;
  /** Why it is not steered; null where it is. */
  readonly reason: string | null;
  readonly capabilities: readonly Capability[];
  readonly dtype: Model['dtype'];
  readonly contextTokens: number;
  /** What kind of network, as `config.json` names it; '' where it does not. */
  readonly kind: string;
}
