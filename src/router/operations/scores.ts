import type { Postprocessing } from '../../contract/explain.ts';

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
