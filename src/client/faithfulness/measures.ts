/** A measured number, with its 95 % confidence interval if known. */
export interface Figure {
  readonly value: number;
  readonly interval: readonly [low: number, high: number] | null;
}

const NORMAL = 1.96;
/** Student's t at 95 % by degrees of freedom, from 1. */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

/**
 * A rank correlation with its interval by Fisher's transformation.
 *
 * @returns null if it is not defined: fewer than two pairs, or one side all equal
 * @source  Fieller, Hartley and Pearson 1957, "Tests for rank correlation coefficients": variances of z 1.06 ÷ (n − 3) for
 *          Spearman and 0.437 ÷ (n − 4) for Kendall
 */
export function correlationFigure(kind: 'spearman' | 'kendall', value: number, pairs: number): Figure | null {
  if (!Number.isFinite(value)) return null;
  const [variance, lost] = kind === 'spearman' ? [1.06, 3] : [0.437, 4];
  if (pairs <= lost || Math.abs(value) >= 1) return { value, interval: null };
  const [z, reach] = [Math.atanh(value), NORMAL * Math.sqrt(variance / (pairs - lost))];
  return { value, interval: [Math.tanh(z - reach), Math.tanh(z + reach)] };
}

/** The mean of several draws with its interval; one draw has no interval. Null for no draws. */
export function meanFigure(values: readonly number[]): Figure | null {
  if (values.length === 0) return null;
  const value = values.reduce((sum, one) => sum + one, 0) / values.length;
  if (values.length === 1) return { value, interval: null };
  const squares = values.reduce((sum, one) => sum + (one - value) ** 2, 0);
  const error = Math.sqrt(squares / (values.length - 1) / values.length);
  const reach = (STUDENT[values.length - 2] ?? NORMAL) * error;
  return { value, interval: [value - reach, value + reach] };
}

/** Ranks from 1, ascending; equal values have the mean of their ranks. */
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

/** Spearman's rank correlation; NaN where a side is all equal. @throws {RangeError} when the sides differ in length */
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
