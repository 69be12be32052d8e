/** A measured number; an interval says in which range it lies at 95 %, where that is known. */
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
 * @returns null where it is not defined: fewer than two pairs, or one side all equal
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

/** The mean of several draws with its interval; of one draw without. Null for none. */
export function meanFigure(values: readonly number[]): Figure | null {
  if (values.length === 0) return null;
  const value = values.reduce((sum, each) => sum + each, 0) / values.length;
  if (values.length === 1) return { value, interval: null };
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  const error = Math.sqrt(squares / (values.length - 1) / values.length);
  const reach = (STUDENT[values.length - 2] ?? NORMAL) * error;
  return { value, interval: [value - reach, value + reach] };
}
