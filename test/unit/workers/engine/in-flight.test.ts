import { describe, expect, it } from 'vitest';
import { createInFlight } from '../../../../workers/engine/connection.ts';

describe('createInFlight', () => {
  it('starts tasks in order, no more at once than its limit', async () => {
    const { queue, limit } = createInFlight();
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const tasks = Array.from({ length: 8 }, (_, index) =>
      queue(async () => {
        started.push(index);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await Promise.resolve();
    expect(started).toEqual(Array.from({ length: limit() }, (_, index) => index));
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setTimeout(resolve));
    }
    await Promise.all(tasks);
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('goes on behind a task that fails', async () => {
    const { queue } = createInFlight();
    await expect(queue(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue(async () => 'yes')).toBe('yes');
  });

  it('allows more while answers are as quick as the quickest, fewer when they wait, half when work is refused', () => {
    const { limit, measured, overloaded } = createInFlight();
    for (let i = 0; i < 200; i++) measured(10, 10);
    expect(limit()).toBe(16);
    for (let i = 0; i < 20; i++) measured(10, 100);
    expect(limit()).toBeLessThan(16);
    const before = limit();
    overloaded();
    expect(limit()).toBe(Math.floor(before / 2));
    for (let i = 0; i < 20; i++) overloaded();
    expect(limit()).toBe(1);
  });

  it('allows several again on an engine that has become slower for good', () => {
    const { limit, measured } = createInFlight();
    for (let i = 0; i < 20; i++) measured(10, 10);
    const limits = Array.from({ length: 60 }, () => {
      measured(10, 200);
      return limit();
    });
    expect(Math.min(...limits)).toBe(1); // what was learned of the quick engine makes the slow one look crowded
    expect(limits.at(-1)).toBeGreaterThanOrEqual(4);
  });

  it('judges time by the work of a request', () => {
    const { limit, measured } = createInFlight();
    for (let i = 1; i < 100; i++) measured(i, i);
    expect(limit()).toBeGreaterThan(4);
  });
});
