import { describe, expect, it, vi } from 'vitest';
import type { JobProgress } from '../../../src/protocol/messages.ts';
import { createScheduler } from '../../../src/scheduler/scheduler.ts';
import { createDrivenScheduler, report } from '../../support/fakes/driven-scheduler.ts';
import { eventually } from '../../support/eventually.ts';
import { embedJob } from '../../support/fakes/jobs.ts';

const input = embedJob('hello');

describe('createScheduler', () => {
  it('runs jobs one after the other, in order', async () => {
    const bench = createDrivenScheduler();
    const answers = [1, 2, 3].map(() => bench.submit('embed', input));
    expect(bench.started()).toEqual([1]);
    bench.finish(1);
    expect(bench.started()).toEqual([1, 2]);
    bench.finish(2);
    bench.finish(3);
    expect(await Promise.all(answers)).toEqual([1, 2, 3].map(() => ({ ok: true, value: report })));
    expect(bench.spawn).toHaveBeenCalledOnce();
  });

  it('starts nice jobs behind all others, and only when nothing runs', () => {
    const bench = createDrivenScheduler();
    void bench.submit('embed', input);
    void bench.submit('embed', input, { nice: true });
    void bench.submit('embed', input);
    bench.finish(1);
    expect(bench.started()).toEqual([1, 3]);
    bench.finish(3);
    expect(bench.started()).toEqual([1, 3, 2]);
  });

  it('starts a normal job beside a nice one that already runs', () => {
    const bench = createDrivenScheduler();
    void bench.submit('embed', input, { nice: true });
    void bench.submit('embed', input);
    void bench.submit('embed', input, { nice: true });
    expect(bench.started()).toEqual([1, 2]);
    bench.finish(2);
    expect(bench.started()).toEqual([1, 2]); // the second nice job waits for the first
    bench.finish(1);
    expect(bench.started()).toEqual([1, 2, 3]);
  });

  it('refuses one more than may wait', async () => {
    const bench = createDrivenScheduler({ maxWaiting: () => 1 });
    void bench.submit('embed', input);
    void bench.submit('embed', input);
    expect(await bench.submit('embed', input)).toMatchObject({ ok: false, failure: { code: 'QUEUE_FULL' } });
  });

  it('drops an aborted waiter and goes on with the next', async () => {
    const bench = createDrivenScheduler();
    const aborting = new AbortController();
    void bench.submit('embed', input);
    const dropped = bench.submit('embed', input, { signal: aborting.signal });
    void bench.submit('embed', input);
    aborting.abort();
    await expect(dropped).rejects.toMatchObject({ name: 'AbortError' });
    bench.finish(1);
    expect(bench.started()).toEqual([1, 3]);
  });

  it('rejects at once when a running job is aborted, and keeps its slot until the worker answers', async () => {
    const bench = createDrivenScheduler();
    const aborting = new AbortController();
    const running = bench.submit('embed', input, { signal: aborting.signal });
    void bench.submit('embed', input);
    aborting.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(bench.sent().at(-1)).toEqual({ type: 'cancel', id: 1 });
    expect(bench.started()).toEqual([1]);
    bench.say({ type: 'cancelled', id: 1 });
    expect(bench.started()).toEqual([1, 2]);
  });

  it('takes a worker for stuck that does not answer a cancel in time', async () => {
    const bench = createDrivenScheduler({ graceMs: 5 });
    const aborting = new AbortController();
    const stuck = bench.submit('embed', input, { signal: aborting.signal });
    const next = bench.submit('embed', input);
    aborting.abort();
    await expect(stuck).rejects.toThrow();
    await eventually(() => expect(bench.workers).toHaveLength(2));
    expect(bench.workers[0]?.ended).toBe(true);
    bench.finish(2);
    expect(await next).toMatchObject({ ok: true });
  });

  it('runs no cancelled job again where its worker was stuck because of another', async () => {
    const bench = createDrivenScheduler({ graceMs: 5 });
    const aborting = new AbortController();
    const stuck = [1, 2].map(() => bench.submit('prepare', { model: input.model }, { signal: aborting.signal }));
    const next = bench.submit('embed', input);
    expect(bench.started()).toEqual([1, 2, 3]);
    aborting.abort();
    for (const each of stuck) await expect(each).rejects.toThrow();
    await eventually(() => expect(bench.workers).toHaveLength(2));
    expect(bench.started()).toEqual([3]);
    bench.finish(3);
    expect(await next).toMatchObject({ ok: true });
  });

  it('ends a stuck worker for one job as often as it takes, and loses no other for it', async () => {
    const bench = createDrivenScheduler({ graceMs: 1 });
    const innocent = bench.submit('embed', input, { nice: true });
    for (const id of [2, 3, 4]) {
      const aborting = new AbortController();
      const stuck = bench.submit('embed', input, { signal: aborting.signal });
      expect(bench.started()).toContain(id);
      aborting.abort();
      await expect(stuck).rejects.toThrow();
      await eventually(() => expect(bench.workers).toHaveLength(id));
    }
    bench.finish(1);
    expect(await innocent).toMatchObject({ ok: true });
  });

  it('rejects without a message when the signal is aborted already', async () => {
    const bench = createDrivenScheduler();
    const refused = bench.submit('embed', input, { signal: AbortSignal.abort() });
    await expect(refused).rejects.toMatchObject({ name: 'AbortError' });
    expect(bench.spawn).not.toHaveBeenCalled();
  });

  it('finds the job that never ends by running those of a stuck worker alone, and loses no other', async () => {
    vi.useFakeTimers();
    const bench = createDrivenScheduler({ silenceMs: 1_000 });
    const endless = bench.submit('embed', embedJob('endless '.repeat(100)));
    const innocent = bench.submit('embed', input);
    expect(bench.started()).toEqual([1, 2]);
    vi.advanceTimersByTime(1_000);
    void bench.submit('embed', input);
    expect(bench.started()).toEqual([1]); // nothing beside it
    bench.say({
      type: 'beat',
      expectedMs: 0,
      limit: { ms: 10, failure: { code: 'MODEL_UNAVAILABLE', message: 'slow' } },
    });
    vi.advanceTimersByTime(10);
    expect(await endless).toMatchObject({ ok: false, failure: { code: 'MODEL_UNAVAILABLE', message: 'slow' } });
    expect(bench.started()).toEqual([2]);
    bench.finish(2);
    expect(await innocent).toMatchObject({ ok: true });
    expect(bench.started()).toEqual([2, 3]);
    vi.useRealTimers();
  });

  it('fails a job that alone was stuck at once where it is not to be repeated', async () => {
    vi.useFakeTimers();
    const bench = createDrivenScheduler({ silenceMs: 1_000, repeatsStuck: false });
    const endless = bench.submit('embed', input);
    vi.advanceTimersByTime(1_000);
    expect(await endless).toMatchObject({ ok: false, failure: { code: 'DEVICE_LOST' } });
    vi.useRealTimers();
  });

  it('runs a job again, once, when its worker dies, and settles it when that dies too', async () => {
    const bench = createDrivenScheduler();
    const job = bench.submit('embed', input);
    bench.workers[0]?.onlost?.('crash');
    expect(bench.workers).toHaveLength(2);
    expect(bench.started()).toEqual([1]);
    bench.workers[1]?.onlost?.('crash');
    expect(await job).toMatchObject({ ok: false, failure: { code: 'DEVICE_LOST' } });
  });

  it('builds a new worker after a lost device', async () => {
    const bench = createDrivenScheduler();
    const job = bench.submit('embed', input);
    bench.say({ type: 'failed', id: 1, failure: { code: 'DEVICE_LOST', message: 'gone' } });
    expect(bench.workers.map(({ ended }) => ended)).toEqual([true, false]);
    bench.finish(1);
    expect(await job).toMatchObject({ ok: true });
  });

  it('settles all jobs when no worker can be started', async () => {
    const scheduler = createScheduler({
      spawn: () => {
        throw new Error('no workers here');
      },
    });
    const answers = await Promise.all([scheduler.submit('embed', input), scheduler.submit('embed', input)]);
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, failure: { code: 'DEVICE_LOST' } });
  });

  it('passes progress on to the job it belongs to', () => {
    const bench = createDrivenScheduler();
    const heard = vi.fn();
    void bench.submit('embed', input, { onProgress: heard });
    bench.say({ type: 'progress', id: 1, progress: { phase: 'run', done: 1, total: 2 } });
    bench.say({ type: 'progress', id: 77, progress: { phase: 'run', done: 2, total: 2 } });
    expect(heard).toHaveBeenCalledExactlyOnceWith({ phase: 'run', done: 1, total: 2 });
  });

  it('tells of a worker that was lost, once its jobs are on the next one', () => {
    const onLost = vi.fn();
    const bench = createDrivenScheduler({ onLost });
    void bench.submit('embed', input);
    bench.workers[0]?.onlost?.('crash');
    expect(onLost).toHaveBeenCalledOnce();
    expect(bench.started()).toEqual([1]);
  });

  it('runs the jobs of a worker that asks to be replaced in a new one, as often as it asks', async () => {
    const onLost = vi.fn();
    const bench = createDrivenScheduler({ onLost });
    const job = bench.submit('embed', input);
    for (let workers = 1; workers <= 3; workers++) {
      expect(bench.workers).toHaveLength(workers);
      bench.say({ type: 'replace' });
      expect(bench.workers[workers - 1]?.ended).toBe(true);
    }
    bench.finish(1);
    expect(await job).toEqual({ ok: true, value: report });
    expect(onLost).not.toHaveBeenCalled();
  });

  it('tells no progress twice when a job runs again', () => {
    const bench = createDrivenScheduler();
    const heard: JobProgress[] = [];
    void bench.submit('embed', input, { onProgress: (progress) => void heard.push(progress) });
    const step = (done: number) => bench.say({ type: 'progress', id: 1, progress: { phase: 'run', done, total: 3 } });
    [1, 2].forEach(step);
    bench.workers[0]?.onlost?.('crash');
    bench.say({ type: 'progress', id: 1, progress: { phase: 'compile', done: 0, total: 1 } });
    [1, 2, 3].forEach(step);
    expect(heard.map(({ phase, done }) => `${phase} ${done}`)).toEqual(['run 1', 'run 2', 'compile 0', 'run 3']);
  });

  it('tells no text of a completion twice when it is written again in other parts', () => {
    const bench = createDrivenScheduler();
    const heard: JobProgress[] = [];
    void bench.submit('embed', input, { onProgress: (progress) => void heard.push(progress) });
    const tokensOf = (text: string) =>
      [...text].map((token, id) => ({ id, token, log_probability: NaN, rank: 0, alternatives: [] }));
    const step = (done: number, text: string, index = 0) => {
      const completed = [{ index, text, tokens: tokensOf(text) }];
      bench.say({ type: 'progress', id: 1, progress: { phase: 'run', done, total: 12, completed } });
    };
    step(1, 'a');
    step(6, 'bcdef');
    bench.workers[0]?.onlost?.('crash');
    step(1, 'a');
    step(4, 'bcd');
    step(9, 'efghi');
    step(11, 'x', 1);
    const parts = heard.flatMap(({ completed = [] }) => completed);
    const written = (at: number) => parts.filter(({ index }) => index === at);
    expect(written(0).map(({ text }) => text)).toEqual(['a', 'bcdef', 'ghi']);
    expect(
      written(0)
        .flatMap(({ tokens }) => tokens.map(({ token }) => token))
        .join(''),
    ).toBe('abcdefghi');
    expect(written(1).map(({ text }) => text)).toEqual(['x']);
  });

  it('tells estimates, which finish no part of the work, and tells them once', () => {
    const bench = createDrivenScheduler();
    const heard: string[] = [];
    const onProgress = ({ done, explained }: JobProgress) =>
      void heard.push(explained?.estimated ? `estimates at ${done}` : `${done}`);
    void bench.submit('embed', input, { onProgress });
    const say = (done: number, isEstimate = false) => {
      const plan = { sections: [], targetTokens: [], foilTokens: [] };
      const margins = { isCalibrated: true, whole: new Float64Array(0), tokens: new Float64Array(0) };
      const estimated = isEstimate ? { sections: [], margins } : null;
      const explained = { plan, sections: [], influence: new Float64Array(0), estimated };
      bench.say({ type: 'progress', id: 1, progress: { phase: 'run', done, total: 3, explained } });
    };
    say(0, true);
    say(1);
    bench.workers[0]?.onlost?.('crash');
    say(0, true);
    say(1);
    say(2);
    expect(heard).toEqual(['estimates at 0', '1', '2']);
  });

  it('answers 503 after a second loss, of whatever kind', async () => {
    const bench = createDrivenScheduler();
    const job = bench.submit('embed', input);
    bench.say({ type: 'failed', id: 1, failure: { code: 'DEVICE_LOST', message: 'the GPU was lost' } });
    bench.workers[1]?.onlost?.('it ended by itself');
    expect(await job).toEqual({
      ok: false,
      failure: { code: 'DEVICE_LOST', message: 'The worker was lost twice: it ended by itself' },
    });
  });

  it('settles every job exactly once under a random mix of answers, aborts and deaths', async () => {
    let seed = 42;
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    const bench = createDrivenScheduler({ maxWaiting: () => 1000 });
    const settled: Promise<unknown>[] = [];
    const aborts: AbortController[] = [];
    const answered = new Set<string>();
    const step = () => {
      const choice = random(10);
      if (choice < 4) {
        const abort = new AbortController();
        aborts.push(abort);
        const nice = random(2) === 0;
        settled.push(bench.submit('embed', input, { nice, signal: abort.signal }).catch((error: Error) => error.name));
      } else if (choice < 8) {
        const open = bench.started().find((id) => !answered.has(`${bench.workers.length}:${id}`));
        if (open === undefined) return;
        answered.add(`${bench.workers.length}:${open}`);
        bench.finish(open);
      } else if (choice === 8) aborts[random(aborts.length || 1)]?.abort();
      else bench.workers.at(-1)?.onlost?.('random death');
    };
    for (let i = 0; i < 2000; i++) step();
    for (let i = 0; i < 3 * settled.length; i++)
      bench.started().forEach((id) => (bench.finish(id), bench.say({ type: 'cancelled', id })));
    const results = await Promise.all(settled);
    expect(results.length).toBeGreaterThan(500);
    for (const result of results) expect(result === 'AbortError' || typeof result === 'object').toBe(true);
  });
});
