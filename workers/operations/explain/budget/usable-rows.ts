import type { ExplainJob } from '../../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../../engine/engine.ts';
import type { KvCache } from '../../../engine/network.ts';
import { differenceOf, magnitudeOf } from '../../../kernels/float-arrays.ts';
import type { StartedPasses } from '../start.ts';
import { AGREEMENT, type Subject } from '../subject.ts';
import { createRowSparse, type RowSparse } from './row-sparse.ts';

/** What may be explained within a budget: the unmodified pass has run. */
export type Estimable = Pick<Subject, 'sequence' | 'suppressions'> & { readonly passes: StartedPasses };

/** Rows of the prompt that are computed again to see whether the network keeps to what it is told. */
const TRIED = [0, 1, 2, 5] as const;

/**
 * Passes over few rows, if they make of the prompt as it is what the whole pass does; null where every score must be
 * computed exactly.
 */
export async function usableRows(
  { sequence, suppressions, passes }: Estimable,
  { controls }: ExplainJob,
  { network }: LoadedModel,
): Promise<{ readonly sparse: RowSparse; readonly kvCache: KvCache } | null> {
  const { kvCache, logProbabilities } = passes.original;
  const sparse = createRowSparse(sequence, { controls, network });
  if (!sparse || !kvCache) return null;
  const rows = TRIED.filter((row) => row < sequence.ids.length - 1);
  const unmodified = { factors: suppressions.base, rows };
  const again = await sparse.estimate([unmodified, { ...unmodified, rows: [] }], kvCache);
  const limit = AGREEMENT * (1 + magnitudeOf(logProbabilities));
  return again.every((each) => differenceOf(each, logProbabilities) <= limit) ? { sparse, kvCache } : null;
}
