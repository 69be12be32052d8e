/**
 * Influence of one section on each target token: cross entropy with the section suppressed minus without, in nats.
 * Positive means that the section supports the target.
 *
 * @param suppressed  natural-log probability of each target token with the section suppressed, `[tokens]`
 * @param original    the same without, `[tokens]`
 * @returns           float64 `[tokens]`
 * @source            AtMan, arXiv:2301.08110, Eq. 3, with the sign of contract facts §1.5
 */
export function influenceOf(suppressed: ArrayLike<number>, original: ArrayLike<number>): Float64Array {
  return Float64Array.from(original, (logProbability, t) => logProbability - (suppressed[t] ?? Number.NaN));
}
