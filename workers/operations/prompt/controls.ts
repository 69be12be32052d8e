import type { ControlOptions } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { Perturbation } from '../../engine/network.ts';
import { overrideRows } from '../../engine/session/embedding-table.ts';
import { denseFactors, spread, cosineOf } from '../../kernels/attention-control.ts';
import type { Sequence } from './sequence.ts';

/** Which formula a run's factors enter by. */
export function perturbationMode({ logAdditive }: ControlOptions): Perturbation['mode'] {
  return logAdditive ? 'additive' : 'multiplicative';
}

/** What turns factors on some positions into factors on all, float32 `[ids]`. */
export type DenseControls = (explicit: ReadonlyMap<number, number>) => Float32Array;

/**
 * Spreads factors to similar positions of one sequence; without a threshold it spreads nothing. A picture's tiles are
 * compared by what the image encoder makes of them.
 *
 * @param ids  the whole sequence as it is fed, special ids included
 * @source     contract facts §2.2
 */
export async function denseControls(
  { network }: LoadedModel,
  { embeddingOverrides }: Pick<Sequence, 'embeddingOverrides'>,
  ids: readonly number[],
  { contextualThreshold: threshold }: ControlOptions,
): Promise<DenseControls> {
  if (threshold === null) return (explicit) => denseFactors(explicit, ids.length);
  const { width } = network.shape;
  const rows = await network.embeddings(Int32Array.from(ids));
  overrideRows(rows, embeddingOverrides, { first: 0, width });
  const similarity = cosineOf(rows, width);
  return (explicit) => denseFactors(spread(explicit, { threshold, positions: ids.length, similarity }), ids.length);
}
