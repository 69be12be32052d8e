/** Digits that are enough to tell any two float32 apart. */
const MAX_DIGITS = 9;

/**
 * The shortest decimal that reads back as the same float32, as the service writes its numbers.
 *
 * @source contract facts §1.1, number format
 */
export function shortest(x: number): number {
  for (let digits = 7; digits < MAX_DIGITS; digits++) {
    const rounded = Number(x.toPrecision(digits));
    if (Math.fround(rounded) === x) return rounded;
  }
  return Number(x.toPrecision(MAX_DIGITS));
}
