import { describe, expect, it, vi } from 'vitest';
import { failure, success, type Result } from '../../../../src/contract/failure.ts';
import type { JobKind, Jobs } from '../../../../src/protocol/jobs.ts';
import type { ToWorker } from '../../../../src/protocol/messages.ts';
import type { ThreadFigures } from '../../../../src/protocol/model-job.ts';
import type { Submit } from '../../../../src/scheduler/job.ts';
import type { WorkerPort } from '../../../../src/scheduler/spawn.ts';
import { createThreadTrials } from '../../../../src/service/thread-trials.ts';
import { createFakeMemory } from '../../../support/fakes/fake-memory.ts';
import { holdTime } from '../../../support/fakes/fake-time.ts';
import { embedJob } from '../../../support/fakes/jobs.ts';

const job = embedJob('hello');
const FASTER: ThreadFigures = { threads: 2, others: [{ threads: 1, speed: 1.5 }], skipped: null };

/** Trials over workers that the test answers for. */
function setUp({
  memory = createFakeMemory(),
  backend = 'wasm',
  answers = true,
  figures = FASTER,
  fails = false,
} = {}) {
  const ran: { kind: JobKind; input: Jobs[JobKind]['input'] }[] = [];
  const preparation = { backend, threads: 2, reason: 'test' };
  let embedded: Result<unknown> | Promise<Result<unknown>> = success({});
  const submit = (async (kind: JobKind, input: Jobs[JobKind]['input']) => {
    ran.push({ kind, input });
    return kind === 'prepare' ? success(preparation) : embedded;
  }) as Submit;
  const workers = { spawned: 0, ended: 0 };
  const inference = (): WorkerPort => {
    workers.spawned++;
    const port: WorkerPort = {
      ...{ onmessage: null, onlost: null, terminate: () => void workers.ended++ },
      postMessage(message) {
        const { type, id } = message as ToWorker & { id: number };
        if (type !== 'run' || !answers) return;
        const answer = fails
          ? { type: 'failed', id, failure: { code: 'OUT_OF_MEMORY', message: 'full' } }
          : { type: 'done', id, output: figures };
        queueMicrotask(() => port.onmessage?.({ data: answer } as MessageEvent));
      },
    };
    return port;
  };
  const clearing = new AbortController();
  const options = {
    ...{ submit, storage: memory, signal: clearing.signal },
    inference,
    idleMs: 1000,
    mayTry: () => true,
    cores: 2,
  };
  return {
    trials: createThreadTrials(options),
    ran,
    workers,
    memory,
    clearing,
    answerWith: (to: typeof embedded) => (embedded = to),
  };
}

const keptIn = ({ kept }: ReturnType<typeof createFakeMemory>) => kept.get('lightwell.threads') ?? '';
const idle = (ms = 1001) => vi.advanceTimersByTimeAsync(ms);

describe('createThreadTrials', () => {
  holdTime();

  it('tries a model that was used once the page is idle, once a visit, in a worker that ends', async () => {
    const { trials, ran, workers, memory } = setUp();
    await trials.submit('embed', job);
    await idle(900);
    expect(workers.spawned).toBe(0);
    await idle();
    expect(keptIn(memory)).toContain('"speed":1.5');
    expect(ran.map(({ kind }) => kind)).toEqual(['embed', 'prepare']);
    await trials.submit('embed', job);
    await idle();
    expect(workers).toEqual({ spawned: 1, ended: 1 });
  });

  it('runs jobs on what two visits found, and tries no more', async () => {
    const memory = createFakeMemory();
    for (const _ of [1, 2]) {
      await setUp({ memory }).trials.submit('embed', job);
      await idle();
    }
    const { trials, ran, workers } = setUp({ memory });
    await trials.submit('embed', job);
    await idle();
    expect(ran[0]?.input).toMatchObject({ threads: { count: 1, why: expect.stringContaining('1.50 and 1.50 times') } });
    const remote = { url: 'http://localhost/e/', address: 'https://engine.example', model: 'a', token: 'b' };
    await trials.submit('embed', { ...job, remote });
    await trials.submit('embed', { ...job, threads: { count: 3, why: '3 as set' } });
    expect(ran.slice(1).map(({ input }) => 'threads' in input && input.threads?.count)).toEqual([false, 3]);
    await idle();
    expect(workers.spawned).toBe(0);
  });

  it('ends a trial when a job comes, which does not wait, and begins it again later', async () => {
    const { trials, workers, memory } = setUp({ answers: false });
    await trials.submit('embed', job);
    await idle();
    expect(workers).toEqual({ spawned: 1, ended: 0 });
    const answer = trials.submit('embed', job);
    expect(workers.ended).toBe(1);
    expect((await answer).ok).toBe(true);
    await idle();
    expect(workers.spawned).toBe(2);
    expect(keptIn(memory)).toBe('');
    trials.dispose();
    expect(workers.ended).toBe(2);
  });

  it('does not begin while a job runs, or once all was cleared', async () => {
    const { trials, workers, answerWith } = setUp();
    await trials.submit('embed', job);
    answerWith(new Promise(() => undefined));
    void trials.submit('embed', job);
    await idle();
    expect(workers.spawned).toBe(0);
    const other = setUp();
    await other.trials.submit('embed', job);
    other.clearing.abort();
    await idle();
    expect(other.workers.spawned).toBe(0);
  });

  it.each([
    ['runs on a GPU', { backend: 'webgpu' }, 0],
    ['cannot be tried', { figures: { threads: 2, others: [], skipped: 'it is large' } }, 1],
  ])('keeps nothing of a model that %s', async (_, options, spawned) => {
    const { trials, workers, memory } = setUp(options);
    await trials.submit('embed', job);
    await idle(5000);
    expect(workers.spawned).toBe(spawned);
    expect(keptIn(memory)).toBe('');
  });

  it('reports a trial that fails, and does not repeat it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { trials, workers } = setUp({ fails: true });
    await trials.submit('embed', job);
    await idle(5000);
    expect(workers.spawned).toBe(1);
    expect(warn).toHaveBeenCalledExactlyOnceWith('Numbers of threads were not tried for lightwell-base: full');
    warn.mockRestore();
  });

  it('tries no model of which every job has failed', async () => {
    const { trials, workers, answerWith } = setUp();
    answerWith(failure('MODEL_UNAVAILABLE', 'no connection'));
    await trials.submit('embed', job);
    await idle();
    expect(workers.spawned).toBe(0);
  });
});
