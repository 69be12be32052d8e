import type { ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { Network } from '../../engine/network.ts';
import type { Batch } from '../../kernels/batches/batch-plan.ts';
import { influenceOf } from '../../kernels/influence.ts';
import { inFittingParts } from '../fitting.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';
import { createPasses, fedWith, type Original, type OriginalRun } from './passes.ts';
import type { RunsOn, Subject } from './subject.ts';

/** The passes of an explanation whose unmodified one has run. */
export interface StartedPasses {
  /** Of the target's tokens and then of the foil's; with attention where the job has a budget and the network shows it. */
  readonly original: Original;
  /** Of some suppressions; left out: of all. */
  plan(only?: readonly number[]): Batch[];
  /**
   * Influence of each member of a batch, `[target tokens and then foil tokens]` each.
   *
   * @throws {FailureError} OUT_OF_MEMORY where a member alone is too large
   */
  influence(batch: Batch, signal?: AbortSignal): Promise<Float64Array[]>;
  /** Frees the KV cache. */
  release(): void;
}

/** Runs the unmodified pass. What a foil takes is loaded when the first job has one. */
export async function startPasses(subject: Subject, job: ExplainJob, on: RunsOn): Promise<StartedPasses> {
  const { foil } = subject;
  const { network } = on.model;
  const passes = createPasses(fedWith(subject.sequence), subject.suppressions, {
    ...{ controls: job.controls, network, signal: on.signal },
    showsAttention: job.budget !== 1 && isShown(subject.sequence, network),
  });
  const original = await passes.original();
  if (!foil) return started({ passes, original });
  try {
    const { withFoil } = await import('./contrast/with-foil.ts');
    return started(await withFoil({ ...subject, foil, passes, original }, job, on));
  } catch (error) {
    original.kvCache?.release();
    throw error;
  }
}

function started({ passes, original }: OriginalRun): StartedPasses {
  return {
    original,
    plan: passes.plan,
    async influence(batch, signal) {
      const suppressed = await inFittingParts(batch.members, (members) =>
        passes.suppressed({ ...batch, members }, original.kvCache, signal),
      );
      return suppressed.map((logProbabilities) => influenceOf(logProbabilities, original.logProbabilities));
    },
    release: () => original.kvCache?.release(),
  };
}

/** Attention of more than this is not asked for: it grows with the square of the prompt. */
const MOST_ATTENTION_BYTES = 64 * 2 ** 20;

function isShown({ fed }: TargetSequence, { shape, backend }: Network): boolean {
  if (!shape.showsAttention || backend.kind === 'remote') return false; // an engine elsewhere would have to send it
  return 4 * (shape.layers - 1) * fed.ids.length ** 2 <= MOST_ATTENTION_BYTES;
}
