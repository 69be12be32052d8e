/** How much may pass: `burst` at once, and `perSecond` for as long as one likes. */
interface RateLimits {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * A token bucket.
 *
 * @param nowMs  any clock that never goes back
 * @returns what takes one from it; false when it is empty
 */
export function createRateLimiter(
  { burst, perSecond }: RateLimits,
  nowMs: () => number = () => performance.now(),
): () => boolean {
  let left = burst;
  let last = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(burst, left + ((now - last) / 1000) * perSecond);
    last = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
