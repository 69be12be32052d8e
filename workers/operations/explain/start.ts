import type { ExplainedPlan, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { Attention, KvCache, Network } from '../../engine/network.ts';
import type { Batch } from '../../kernels/batches/batch-plan.ts';
import { createPasses, fedWith } from './passes.ts';
import type { RunsOn, Subject } from './subject.ts';

/** The passes of an explanation whose unmodified one has run. */
export interface StartedPasses {
  /** Log-probabilities of the target's tokens and then of the foil's. */
  readonly original: Float32Array;
  /** Of some suppressions; left out: of all. */
  plan(only?: readonly number[]): Batch[];
  /** Keys and values of the unmodified pass, where the network can share them. */
  readonly cached: KvCache | undefined;
  /** Of the unmodified pass, where the job has a budget and the network shows it. */
  readonly attention?: Attention | undefined;
  /** The same for each member of a batch. */
  suppressed(batch: Batch, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Frees the KV cache. */
  release(): void;
}

/** Runs the unmodified pass. What a foil takes is loaded when the first job has one. */
export async function startPasses(
  { sequence, foil, suppressions }: Subject,
  plan: ExplainedPlan,
  job: ExplainJob,
  on: RunsOn,
): Promise<StartedPasses> {
  const { network } = on.model;
  const showsAttention = job.budget !== 1 && isShown(network, sequence.fed.ids.length);
  const options = { controls: job.controls, network, signal: on.signal, showsAttention };
  const alone = createPasses(fedWith(sequence), suppressions, options);
  const first = await alone.original();
  const { cached, attention } = first;
  const release = () => cached?.release();
  try {
    let [passes, { logProbabilities }] = [alone, first];
    if (foil) {
      const { withFoil } = await import('./contrast/with-foil.ts');
      const contrasted = { sequence, foil, suppressions, passes, original: first };
      ({ passes, logProbabilities } = await withFoil(contrasted, plan, job, on));
    }
    return {
      ...{ original: logProbabilities, cached, attention, plan: passes.plan, release },
      suppressed: (batch, signal) => passes.suppressed(batch, cached, signal),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Attention of more than this is not asked for: it grows with the square of the prompt. */
const MOST_ATTENTION_BYTES = 64 * 2 ** 20;

/** An engine elsewhere would have to send it. */
function isShown({ shape, backend }: Network, tokens: number): boolean {
  const bytes = 4 * (shape.layers - 1) * tokens ** 2;
  return shape.showsAttention && backend.kind !== 'remote' && bytes <= MOST_ATTENTION_BYTES;
}
