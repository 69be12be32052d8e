import type { Postprocessing } from '../../src/contract/explain.ts';

/**
 * Influence of one section on each target token: cross entropy with the section suppressed minus without, in nats.
 * Positive means that the section supports the target.
 *
 * @param suppressed  natural-log probability of each target token with the section suppressed, `[tokens]`
 * @param original    the same without, `[tokens]`
 * @returns           float64 `[tokens]`
 * @source            AtMan, arXiv:2301.08110, Eq. 3, with the sign of contract facts §1.5
 */
export function influenceOf(suppressed: ArrayLike<number>, original: ArrayLike<number>): Float64Array {
  return Float64Array.from(original, (logProbability, t) => logProbability - (suppressed[t] ?? Number.NaN));
}

/** What the request wants done to each difference. @source interface.md, `postprocessing` */
export function postprocessed(difference: number, postprocessing: Postprocessing): number {
  switch (postprocessing) {
    case 'none':
      return difference;
    case 'absolute':
      return Math.abs(difference);
    case 'square':
      return difference * difference;
  }
}

/**
 * Scores of one explanation scaled so that the least becomes 0 and the greatest 1.
 *
 * @returns same order; all 0 when there is nothing to tell apart
 * @source  interface.md, `normalize` (the recorded service used tanh instead; interface.md wins)
 */
export function scaledToUnit(scores: readonly number[]): number[] {
  const least = scores.reduce((a, b) => Math.min(a, b), Infinity);
  const range = scores.reduce((a, b) => Math.max(a, b), -Infinity) - least;
  return scores.map((score) => (range > 0 ? (score - least) / range : 0));
}
