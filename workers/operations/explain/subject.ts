import type { ExplainedPlan } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';
import type { Suppressions } from './suppressions.ts';

/** What is explained. */
export interface Subject {
  readonly sequence: TargetSequence;
  /** The same prompt with the foil behind it. */
  readonly foil: TargetSequence | null;
  readonly plan: ExplainedPlan;
  readonly suppressions: Suppressions;
}

/** What passes run on, and what ends them. */
export interface RunsOn {
  readonly model: LoadedModel;
  readonly signal?: AbortSignal | undefined;
}

/** Two ways to one number agree to this share of the largest, or the network does not keep to a layout. */
export const AGREEMENT = 1e-3;
