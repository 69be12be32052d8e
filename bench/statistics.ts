/** The middle value; of an even number the mean of the middle two. @throws {RangeError} for no values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new RangeError('expected at least one value, got none');
  return (low + high) / 2;
}
