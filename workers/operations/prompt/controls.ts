import type { ControlOptions } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { Perturbation } from '../../engine/network.ts';
import { overrideRows } from '../../engine/session/embedding-table.ts';
import { cosineOf, denseFactors, spread } from '../../kernels/attention-control.ts';
import { controlFactors, type ItemControl } from '../../kernels/control-factors.ts';
import { withinLimit } from './factor-limit.ts';
import type { Sequence } from './sequence.ts';

/** Which formula a run's factors enter by. */
export function perturbationMode({ logAdditive }: ControlOptions): Perturbation['mode'] {
  return logAdditive ? 'additive' : 'multiplicative';
}

/** Factors on the attention paid to each position of one sequence. */
export interface SequenceControls {
  /** What the prompt's own controls do, float64 `[ids]`. */
  readonly factors: Float64Array;
  /** What one more control does by itself, float64 `[ids]`. */
  alone(control: ItemControl): Float64Array;
}

/**
 * The controls of a sequence, spread to similar positions where a threshold says so. A picture's tiles are compared by
 * what the image encoder makes of them.
 *
 * @param sequence  as it is fed, special ids included
 * @throws {FailureError} INVALID_REQUEST where the prompt's controls multiply to more than a factor may be
 * @source          contract facts §2.2
 */
export async function sequenceControls(
  { path, ids, items, controls, embeddingOverrides }: Sequence,
  { contextualThreshold: threshold }: ControlOptions,
  model: LoadedModel,
): Promise<SequenceControls> {
  const similarity = threshold === null ? null : await similarityOf(ids, embeddingOverrides, model);
  const factorsOf = (wanted: readonly ItemControl[]) => {
    const explicit = controlFactors(items, wanted);
    const all =
      threshold === null || !similarity ? explicit : spread(explicit, { threshold, positions: ids.length, similarity });
    return denseFactors(all, ids.length);
  };
  return { factors: withinLimit(factorsOf(controls), `${path} controls`), alone: (control) => factorsOf([control]) };
}

async function similarityOf(
  ids: Sequence['ids'],
  overrides: Sequence['embeddingOverrides'],
  { network }: LoadedModel,
): Promise<(i: number, j: number) => number> {
  const { width } = network.shape;
  const rows = await network.embeddings(Int32Array.from(ids));
  overrideRows(rows, overrides, { first: 0, width });
  return cosineOf(rows, width);
}
