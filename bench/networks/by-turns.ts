/** The value that so large a share of all is below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
}

/** The value in the middle, and those that a quarter of all are below and above. */
export function spread(values: readonly number[]): { readonly middle: number; readonly half: readonly number[] } {
  return { middle: quantile(values, 0.5), half: [quantile(values, 0.25), quantile(values, 0.75)] };
}

/**
 * What two give for the same task, `rounds` times. Who begins takes turns, so that what else uses the processor then slows both
 * alike.
 */
export async function byTurns<Value>(
  own: () => Promise<Value>,
  other: () => Promise<Value>,
  rounds: number,
): Promise<readonly { readonly ours: Value; readonly theirs: Value }[]> {
  const found: { ours: Value; theirs: Value }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = await (round % 2 === 0 ? own : other)();
    const second = await (round % 2 === 0 ? other : own)();
    found.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  return found;
}
