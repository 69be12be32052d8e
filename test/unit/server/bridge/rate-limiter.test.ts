import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../../server/bridge/rate-limiter.ts';

describe('an allowance', () => {
  it('lets a burst pass, then as many as come back with time, and never more than a burst', () => {
    let nowMs = 0;
    const mayPass = createRateLimiter({ burst: 3, perSecond: 2 }, () => nowMs);
    const passed = (count: number): number => Array.from({ length: count }, mayPass).filter(Boolean).length;
    expect(passed(5)).toBe(3);
    nowMs = 400;
    expect(passed(5)).toBe(0);
    nowMs = 1000;
    expect(passed(5)).toBe(2);
    nowMs = 60_000;
    expect(passed(5)).toBe(3);
  });
});
