/** A token bucket. @param nowMs  a clock that never goes back @returns takes one; false when it is empty */
export function createRateLimiter(
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
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
