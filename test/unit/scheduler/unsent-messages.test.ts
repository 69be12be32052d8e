import { describe, expect, it } from 'vitest';
import { createDrivenScheduler } from '../../support/fakes/driven-scheduler.ts';
import { embedJob } from '../../support/fakes/jobs.ts';

const input = embedJob('hello');

function refuseToClone(): never {
  throw new DOMException('It could not be cloned.', 'DataCloneError');
}

describe('a message that cannot be sent to a worker', () => {
  it('ends it when that is a cancel, and loses no other job for it', async () => {
    const bench = createDrivenScheduler();
    const innocent = bench.submit('embed', input, { nice: true });
    const aborting = new AbortController();
    const cancelled = bench.submit('embed', input, { signal: aborting.signal });
    const [worker] = bench.workers;
    if (worker) worker.postMessage = refuseToClone;
    aborting.abort();
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    expect([worker?.ended, bench.workers.length, bench.started()]).toEqual([true, 2, [1]]);
    bench.finish(1);
    expect(await innocent).toMatchObject({ ok: true });
  });

  it('is a 503 when that is the same job twice, and loses no other for it', async () => {
    const bench = createDrivenScheduler();
    const innocent = bench.submit('embed', input, { nice: true });
    for (const worker of bench.workers) worker.postMessage = refuseToClone;
    bench.spawn.mockImplementationOnce(() => {
      throw new DOMException('Workers are not allowed.', 'SecurityError');
    });
    expect(await bench.submit('embed', input)).toMatchObject({ failure: { code: 'DEVICE_LOST' } });
    expect(bench.started()).toEqual([1]);
    bench.finish(1);
    expect(await innocent).toMatchObject({ ok: true });
  });
});
