import type { NetworkRun, Perturbation } from '../../workers/engine/network.ts';
import { concatenated } from '../../workers/kernels/float-arrays.ts';

/** What a run computes, row after row. */
export type Observe = (run: Pick<NetworkRun, 'ids'> & Partial<NetworkRun>) => Promise<Float32Array>;

/** What rows of the same ids give in one batch, each under additive factors of its own, and what each gives alone. */
export async function batchAndSingles(observe: Observe, ids: Int32Array, each: readonly Perturbation[]) {
  const singles: Float32Array[] = [];
  for (const perturbation of each) singles.push(await observe({ ids, perturbation }));
  const factors = concatenated(each.map((perturbation) => perturbation.factors));
  const batch = await observe({
    batch: each.length,
    ids: Int32Array.from(each.flatMap(() => [...ids])),
    perturbation: { mode: 'additive', factors },
  });
  return { batch, singles, factors };
}
