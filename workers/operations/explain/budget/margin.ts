/** Share of estimates that a margin is to cover. */
export const COVERAGE = 0.9;

/** Fewer errors than this say nothing about a share of nine in ten. */
export const LEAST_ERRORS = 9;

/**
 * How far estimates may be off: the error that nine in ten known ones do not exceed, with one more for the unknown next one.
 *
 * @param errors  absolute differences of estimate and exact value, at least `LEAST_ERRORS`; of fewer the largest
 * @returns       0 for none
 * @source        split conformal prediction, Papadopoulos et al. 2002; exact only where the known ones are drawn like the others
 */
export function marginOf(errors: readonly number[]): number {
  const sorted = errors.toSorted((a, b) => a - b);
  const rank = Math.ceil(COVERAGE * (sorted.length + 1));
  return sorted[Math.min(rank, sorted.length) - 1] ?? 0;
}
