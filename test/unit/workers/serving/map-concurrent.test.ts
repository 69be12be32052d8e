import { describe, expect, it } from 'vitest';
import { mapConcurrent } from '../../../../workers/serving/serve.ts';
import { QUIET } from '../../../support/fakes/jobs.ts';

const tick = () => new Promise((resolve) => setTimeout(resolve));

describe('mapConcurrent', () => {
  it.each([
    [undefined, 1],
    [() => 3, 3],
  ])('runs every item, as many at once as allowed', async (width, most) => {
    let running = 0;
    let seen = 0;
    const done: number[] = [];
    await mapConcurrent([1, 2, 3, 4, 5, 6], { context: QUIET, width }, async (item) => {
      running += 1;
      seen = Math.max(seen, running);
      await tick();
      running -= 1;
      done.push(item);
    });
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seen).toBe(most);
  });

  it('aborts the others where one fails, waits for them, and starts no more', async () => {
    const ended: string[] = [];
    const run = mapConcurrent([0, 1, 2, 3, 4], { context: QUIET, width: () => 2 }, async (item, signal) => {
      if (item === 1) throw new Error('broken');
      while (!signal.aborted) await tick();
      ended.push(`${item} aborted`);
    });
    await expect(run).rejects.toThrow('broken');
    expect(ended).toEqual(['0 aborted']);
  });

  it('ends with the reason of a checkpoint that throws', async () => {
    let calls = 0;
    const context = {
      ...QUIET,
      checkpoint: async () => {
        calls += 1;
        if (calls > 2) throw new DOMException('cancelled', 'AbortError');
      },
    };
    const run = mapConcurrent([1, 2, 3], { context, width: () => 4 }, tick as () => Promise<void>);
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });

  it("hands the job's own signal on", async () => {
    const cancellation = new AbortController();
    const run = mapConcurrent([1], { context: { ...QUIET, signal: cancellation.signal } }, async (_, signal) => {
      cancellation.abort();
      signal.throwIfAborted();
    });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });
});
