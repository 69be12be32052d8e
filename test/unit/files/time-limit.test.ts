import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitTime } from '../../../src/files/time-limit.ts';

describe('limitTime', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    [0, 0, 6],
    [10 * 2 ** 20, 0, 8],
    [0, 40, 16],
  ])('ends a file of %i bytes after %i pages within %i seconds', async (bytes, pages, seconds) => {
    const slow = vi.fn();
    const { pageRead, stop } = limitTime(bytes, Promise.resolve(), slow);
    for (let page = 0; page < pages; page++) pageRead();
    await vi.advanceTimersByTimeAsync((seconds - 1) * 1000);
    expect(slow).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slow).toHaveBeenCalledOnce();
    stop();
  });

  it('counts the time of a thread that is busy, but not that of a computer that sleeps', async () => {
    const slow = vi.fn();
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const { stop } = limitTime(0, Promise.resolve(), slow);
    const skip = async (ms: number) => {
      nowMs += ms;
      await vi.advanceTimersByTimeAsync(500);
    };
    await skip(0);
    await skip(3_600_000);
    expect(slow).not.toHaveBeenCalled();
    await skip(2_900);
    expect(slow).not.toHaveBeenCalled();
    await skip(200);
    expect(slow).toHaveBeenCalledOnce();
    stop();
    vi.restoreAllMocks();
  });

  it('waits for the parser, and no longer than for the end of the file', async () => {
    const slow = vi.fn();
    let load: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (load = resolve));
    const { stop } = limitTime(0, loading, slow);
    await vi.advanceTimersByTimeAsync(60_000);
    stop();
    load();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slow).not.toHaveBeenCalled();
  });
});
