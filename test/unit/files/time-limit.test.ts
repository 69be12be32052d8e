import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitTime } from '../../../src/files/time-limit.ts';

describe('limitTime', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
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
