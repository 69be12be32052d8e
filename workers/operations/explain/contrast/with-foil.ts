import type { ExplainJob } from '../../../../src/protocol/target-jobs.ts';
import type { Network } from '../../../engine/network.ts';
import { differenceOf, joined, magnitudeOf } from '../../../kernels/float-arrays.ts';
import type { TargetSequence } from '../../prompt/target-sequence.ts';
import { createPasses, fedWith, type Original, type OriginalRun, type Passes } from '../passes.ts';
import { AGREEMENT, type RunsOn, type Subject } from '../subject.ts';
import { suppressionsOf } from '../suppressions.ts';
import { alignedTo, fedWithBoth, followOneAnother, suppressedInBoth } from './two-targets.ts';

/** What is explained beside a foil: the unmodified pass of the target has run. */
interface Contrasted extends Subject, OriginalRun {
  readonly foil: TargetSequence;
}

/**
 * Passes for a target and its foil. The prompt's positions are computed once for both where the network can be told
 * positions and keeps to them, which the unmodified pass shows; else each text has passes of its own.
 *
 * @returns passes that rate the target's tokens and then the foil's
 */
export async function withFoil(
  { sequence, foil, plan, suppressions, passes, original }: Contrasted,
  job: ExplainJob,
  { model, signal }: RunsOn,
): Promise<OriginalRun> {
  const options = { controls: job.controls, network: model.network, signal };
  const ofPrompt = plan.sections.filter(({ item }) => item < sequence.items.length);
  const ofFoil = await suppressionsOf(foil, ofPrompt, job, model);
  const both = suppressedInBoth(suppressions, ofFoil, sequence.ids.length);
  const together = createPasses(fedWithBoth(sequence, foil), both, options);
  const found = await togetherIfExact(together, original, [sequence.target.ids, foil.target.ids], model.network);
  if (found) return { passes: together, original: { ...original, logProbabilities: found } };
  const apart = createPasses(fedWith(foil), { ...ofFoil, changed: alignedTo(suppressions, ofFoil) }, options);
  const { logProbabilities: rated } = await apart.original(original.kvCache);
  const logProbabilities = joinedRows(original.logProbabilities, rated);
  return { passes: oneAfterTheOther(passes, apart), original: { ...original, logProbabilities } };
}

/** What both texts are rated at in one run; null where the target's rating differs from that without the foil. */
async function togetherIfExact(
  together: Passes,
  { logProbabilities, kvCache }: Original,
  [target, foil]: readonly [readonly number[], readonly number[]],
  { shape }: Network,
): Promise<Float32Array | null> {
  if (!followOneAnother(target, foil) && !shape.takesPositions) return null;
  const { logProbabilities: both, kvCache: own } = await together.original(kvCache);
  own?.release();
  const difference = differenceOf(both.subarray(0, target.length), logProbabilities);
  return difference <= AGREEMENT * (1 + magnitudeOf(logProbabilities)) ? both : null;
}

/** Passes for the target, then for the foil: what networks take that are not told positions. */
function oneAfterTheOther(target: Passes, foil: Passes): Passes {
  return {
    original: target.original,
    plan: target.plan,
    async suppressed(batch, kvCache, signal) {
      const ofTarget = await target.suppressed(batch, kvCache, signal);
      const ofFoil = await foil.suppressed(batch, kvCache, signal);
      return ofTarget.map((row, i) => joinedRows(row, ofFoil[i] ?? new Float32Array(0)));
    },
  };
}

function joinedRows(target: Float32Array, foil: Float32Array): Float32Array {
  return Float32Array.from(joined([target, foil]));
}
