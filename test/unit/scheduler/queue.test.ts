import { describe, expect, it } from 'vitest';
import { createPending, createQueue, type Pending } from '../../../src/scheduler/scheduler.ts';
import { embedJob } from '../../support/fakes/jobs.ts';

/** A job of so many tokens, submitted at a time of the test's own clock. */
function job(id: number, tokens: number, { nice = false, atMs = 0 } = {}): Pending {
  return { ...createPending(id, 'embed', embedJob('text'.repeat(tokens)), { nice }).pending, submittedMs: atMs };
}

function setUp() {
  const clock = { ms: 0 };
  const queue = createQueue(() => clock.ms);
  /** Ids of all that may start now. */
  const start = () => {
    const ids: number[] = [];
    for (let next = queue.startNext(); next; next = queue.startNext()) ids.push(next.run.id);
    return ids;
  };
  return { clock, queue, start };
}

describe('createQueue', () => {
  it('takes the cheapest first, of equal ones the first', () => {
    const { queue, start } = setUp();
    for (const [id, tokens] of [
      [1, 50],
      [2, 10],
      [3, 10],
    ] as const)
      queue.enqueue(job(id, tokens));
    expect(start()).toEqual([2]);
    queue.release(2);
    expect(start()).toEqual([3]);
    queue.release(3);
    expect(start()).toEqual([1]);
  });

  it('starts a cheap job beside a costly one, and one of the same cost behind it', () => {
    const { queue, start } = setUp();
    queue.enqueue(job(1, 1000));
    expect(start()).toEqual([1]);
    queue.enqueue(job(2, 900));
    queue.enqueue(job(3, 5));
    queue.enqueue(job(4, 5));
    expect(start()).toEqual([3]);
    queue.release(3);
    expect(start()).toEqual([4]);
    queue.release(4);
    queue.release(1);
    expect(start()).toEqual([2]);
  });

  it('runs four side by side at most', () => {
    const { queue, start } = setUp();
    [4096, 1024, 256, 64, 16].forEach((tokens, id) => (queue.enqueue(job(id, tokens)), start()));
    expect(queue.waitingCount()).toBe(1);
    queue.release(3);
    expect(start()).toEqual([4]);
  });

  it('lets nothing cheaper pass a job that has waited for long', () => {
    const { clock, queue, start } = setUp();
    queue.enqueue(job(1, 100));
    start();
    queue.enqueue(job(2, 1000));
    clock.ms = 10_001;
    queue.enqueue(job(3, 60, { atMs: clock.ms }));
    expect(start()).toEqual([2]); // beside the one that runs
    queue.release(1);
    expect(start()).toEqual([3]);
  });

  it('starts a nice job when nothing else runs, or when it has waited for very long', () => {
    const { clock, queue, start } = setUp();
    queue.enqueue(job(1, 1000));
    start();
    queue.enqueue(job(2, 1, { nice: true }));
    clock.ms = 59_000;
    expect(start()).toEqual([]);
    clock.ms = 60_001;
    expect(start()).toEqual([2]);
  });

  it('lets nobody wait for a model that is being loaded', () => {
    const { queue, start } = setUp();
    queue.enqueue(createPending(1, 'prepare', { model: embedJob('').model }, {}).pending);
    queue.enqueue(job(2, 10));
    expect(start()).toEqual([1, 2]);
  });
});
