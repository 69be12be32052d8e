/**
 * Mean of measurements with its standard error, the sample's deviation (n − 1) over the root of n; of one value the error is 0.
 *
 * @throws {RangeError} for no values
 */
export function meanOf(values: readonly number[]): { readonly value: number; readonly error: number } {
  if (values.length === 0) throw new RangeError('expected at least one value, got none');
  const value = values.reduce((sum, each) => sum + each, 0) / values.length;
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  const error = values.length === 1 ? 0 : Math.sqrt(squares / (values.length - 1) / values.length);
  return { value, error };
}

/** The middle value; of an even number the mean of both in the middle. @throws {RangeError} for no values */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return meanOf([Math.floor(middle), Math.ceil(middle)].flatMap((at) => sorted[at] ?? [])).value;
}

/** The most frequent value; of several the first. @throws {RangeError} for no values */
export function mostFrequent<Value>(values: readonly Value[]): Value {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first, ...others] = counts;
  if (first === undefined) throw new RangeError('expected at least one value, got none');
  return others.reduce((best, next) => (next[1] > best[1] ? next : best), first)[0];
}
