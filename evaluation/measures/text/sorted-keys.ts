/**
 * Counts of whole numbers in a sorted list: as many as lie between two places. Keys that share a beginning are neighbours,
 * so the count of a beginning is read off the same list.
 */
export interface SortedKeys {
  /** How many keys are in [from, to). */
  countBetween(from: number, to: number): number;
}

/** @param keys whole numbers below 2⁵³ in any order; sorted in place */
export function sortedKeys(keys: Float64Array): SortedKeys {
  keys.sort();
  return { countBetween: (from, to) => firstNotBelow(keys, to) - firstNotBelow(keys, from) };
}

function firstNotBelow(keys: Float64Array, wanted: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? Infinity) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
