/** Ranks from 1, ascending; equal values share the mean of their ranks. */
export function averageRanks(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  for (let start = 0, end = 0; start < order.length; start = end) {
    const value = values[order[start] ?? 0];
    while (end < order.length && values[order[end] ?? 0] === value) end++;
    for (const index of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
  }
  return ranks;
}

/**
 * Spearman's rank correlation, −1 to 1: the correlation of the ranks, ties with their average.
 *
 * @returns NaN where one side is all equal
 * @throws  {RangeError} when the sides differ in length
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  checkLengths(a, b);
  const [one, two, middle] = [averageRanks(a), averageRanks(b), (a.length + 1) / 2];
  let [both, first, second] = [0, 0, 0];
  for (const [index, rank] of one.entries()) {
    const [x, y] = [rank - middle, (two[index] ?? 0) - middle];
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return both / Math.sqrt(first * second);
}

/**
 * Kendall's τ-b, −1 to 1: pairs in the same order minus pairs in the other, ties corrected for.
 *
 * @returns NaN where one side is all equal
 * @throws  {RangeError} when the sides differ in length
 * @source  Kendall 1945, "The treatment of ties in ranking problems"
 */
export function kendallTau(a: readonly number[], b: readonly number[]): number {
  checkLengths(a, b);
  let [both, first, second] = [0, 0, 0];
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < i; j++) {
      const x = Math.sign((a[i] ?? 0) - (a[j] ?? 0));
      const y = Math.sign((b[i] ?? 0) - (b[j] ?? 0));
      both += x * y;
      first += x * x;
      second += y * y;
    }
  return both / Math.sqrt(first * second);
}

function checkLengths(a: readonly number[], b: readonly number[]): void {
  if (a.length !== b.length)
    throw new RangeError(`expected as many values on both sides, got ${a.length}, ${b.length}`);
}
