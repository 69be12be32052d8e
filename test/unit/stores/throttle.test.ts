import { describe, expect, it, vi } from 'vitest';
import { createThrottle } from '../../../src/stores/buffered-storage.ts';
import { holdTime } from '../../support/fakes/fake-time.ts';

describe('createThrottle', () => {
  holdTime();

  it('hands on the first value at once, then the newest per interval', () => {
    const seen: number[] = [];
    const throttle = createThrottle<number>((value) => seen.push(value), 100);
    for (const value of [1, 2, 3]) throttle.push(value);
    expect(seen).toEqual([1]);
    vi.advanceTimersByTime(100);
    expect(seen).toEqual([1, 3]);
  });

  it('is quiet when nothing waits, and starts anew', () => {
    const seen: number[] = [];
    const throttle = createThrottle<number>((value) => seen.push(value), 100);
    throttle.push(1);
    vi.advanceTimersByTime(1000);
    throttle.push(2);
    expect(seen).toEqual([1, 2]);
  });

  it('never hands on more often than the interval says', () => {
    let calls = 0;
    const throttle = createThrottle<number>(() => calls++, 100);
    for (let at = 0; at < 1000; at += 10) {
      throttle.push(at);
      vi.advanceTimersByTime(10);
    }
    expect(calls).toBeLessThanOrEqual(11);
  });

  it('drops what waits when cancelled', () => {
    const seen: number[] = [];
    const throttle = createThrottle<number>((value) => seen.push(value), 100);
    throttle.push(1);
    throttle.push(2);
    throttle.cancel();
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([1]);
  });

  it('hands on what waits when flushed, once', () => {
    const seen: number[] = [];
    const throttle = createThrottle<number>((value) => seen.push(value), 100);
    throttle.flush();
    throttle.push(1);
    throttle.push(2);
    throttle.flush();
    expect(seen).toEqual([1, 2]);
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([1, 2]);
  });
});
