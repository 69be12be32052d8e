import type { ExplainedPlan, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { Attention, KvCache, Network } from '../../engine/network.ts';
import type { Batch } from '../../kernels/batches/batch-plan.ts';
import { differenceOf, joined, magnitudeOf } from '../../kernels/float-arrays.ts';
import { fedIds, type TargetSequence } from '../prompt/target-sequence.ts';
import { createPasses, fedWith, type Original, type Passes } from './passes.ts';
import { type Suppressions, suppressionsOf } from './suppressions.ts';
import { alignedTo, fedWithBoth, followOneAnother, suppressedInBoth } from './two-targets.ts';

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

/** What is explained. */
export interface Subject {
  readonly sequence: TargetSequence;
  /** The same prompt with the foil behind it. */
  readonly foil: TargetSequence | null;
  readonly suppressions: Suppressions;
}

/** What passes run on, and what ends them. */
export interface RunsOn {
  readonly model: LoadedModel;
  readonly signal?: AbortSignal | undefined;
}

/** Two ways to one number agree to this share of the largest, or the network does not keep to a layout. */
export const AGREEMENT = 1e-3;

/**
 * Runs the unmodified pass. With a foil the prompt's positions are computed once for both texts where the network can be
 * told positions and keeps to them, which the unmodified pass shows; else each text has passes of its own.
 */
export async function startPasses(
  { sequence, foil, suppressions }: Subject,
  plan: ExplainedPlan,
  job: ExplainJob,
  { model, signal }: RunsOn,
): Promise<StartedPasses> {
  const options = { controls: job.controls, network: model.network, signal };
  const showsAttention = job.budget !== 1 && isShown(model.network, fedIds(sequence).length);
  const alone = createPasses(fedWith(sequence), suppressions, { ...options, showsAttention });
  const original = await alone.original();
  const { cached, logProbabilities } = original;
  if (!foil) return { ...started(alone, logProbabilities, cached), attention: original.attention };
  try {
    const ofPrompt = plan.sections.filter(({ item }) => item < sequence.items.length);
    const ofFoil = await suppressionsOf(foil, ofPrompt, job, model);
    const both = suppressedInBoth(suppressions, ofFoil, sequence.ids.length);
    const together = createPasses(fedWithBoth(sequence, foil), both, options);
    const found = await togetherIfExact(together, original, [sequence.target.ids, foil.target.ids], model.network);
    if (found) return started(together, found, cached);
    const apart = createPasses(fedWith(foil), { ...ofFoil, changed: alignedTo(suppressions, ofFoil) }, options);
    const { logProbabilities: rated } = await apart.original(cached);
    return started(oneAfterTheOther(alone, apart), joinedRows(logProbabilities, rated), cached);
  } catch (error) {
    cached?.release();
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

function started(passes: Passes, original: Float32Array, cached: KvCache | undefined): StartedPasses {
  return {
    original,
    cached,
    plan: passes.plan,
    suppressed: (batch, signal) => passes.suppressed(batch, cached, signal),
    release: () => cached?.release(),
  };
}

/** What both texts are rated at in one run; null where the target's rating differs from that without the foil. */
async function togetherIfExact(
  together: Passes,
  { logProbabilities, cached }: Original,
  [target, foil]: readonly [readonly number[], readonly number[]],
  { shape }: Network,
): Promise<Float32Array | null> {
  if (!followOneAnother(target, foil) && !shape.takesPositions) return null;
  const { logProbabilities: both, cached: own } = await together.original(cached);
  own?.release();
  const difference = differenceOf(both.subarray(0, target.length), logProbabilities);
  return difference <= AGREEMENT * (1 + magnitudeOf(logProbabilities)) ? both : null;
}

/** Passes for the target, then for the foil: what networks take that are not told positions. */
function oneAfterTheOther(target: Passes, foil: Passes): Passes {
  return {
    original: target.original,
    plan: target.plan,
    async suppressed(batch, cached, signal) {
      const ofTarget = await target.suppressed(batch, cached, signal);
      const ofFoil = await foil.suppressed(batch, cached, signal);
      return ofTarget.map((row, i) => joinedRows(row, ofFoil[i] ?? new Float32Array(0)));
    },
  };
}

function joinedRows(target: Float32Array, foil: Float32Array): Float32Array {
  return Float32Array.from(joined([target, foil]));
}
