import { averageRanks } from '../../../src/client/faithfulness/measures.ts';

/**
 * Area under the receiver operating curve: how often a positive's score is above a negative's, ties counting half.
 *
 * @returns NaN where there are no positives or no negatives
 * @source  Mann and Whitney's U
 */
export function areaUnderCurve(scores: readonly number[], isPositive: readonly boolean[]): number {
  const ranks = averageRanks(scores);
  const positives = isPositive.filter(Boolean).length;
  const sum = ranks.reduce((total, rank, index) => total + (isPositive[index] ? rank : 0), 0);
  return (sum - (positives * (positives + 1)) / 2) / (positives * (isPositive.length - positives));
}
