import { describe, expect, it, vi } from 'vitest';
import type { FromWorker, RunMessage } from '../../../../src/protocol/messages.ts';
import { createRestartableWorker } from '../../../../src/scheduler/restartable-worker.ts';
import type { WorkerPort } from '../../../../src/scheduler/spawn.ts';
import { createFakeLocks } from '../../../support/fakes/fake-locks.ts';
import { holdTime } from '../../../support/fakes/fake-time.ts';
import { firstModel } from '../../../support/fakes/jobs.ts';

const SILENCE_MS = 60_000;

function setUp() {
  const ports: WorkerPort[] = [];
  const locks = createFakeLocks();
  const lost = vi.fn();
  const received = vi.fn();
  const worker = createRestartableWorker({
    spawn: () => {
      const port = { onmessage: null, onlost: null, postMessage: () => undefined, terminate: vi.fn() };
      ports.push(port);
      return port;
    },
    ...{ receive: received, lost, silenceMs: SILENCE_MS, locks },
  });
  const say = (message: FromWorker, port = ports.at(-1)) =>
    port?.onmessage?.(new MessageEvent('message', { data: message }));
  /** The worker takes its lock and says so. */
  const live = () => {
    void locks.request('life', () => new Promise(() => undefined));
    say({ type: 'alive', lock: 'life' });
  };
  return { worker, ports, locks, lost, received, say, live };
}

const run: RunMessage = {
  ...{ type: 'run', id: 1, kind: 'prepare', input: { model: firstModel() } },
  ...{ nice: false, cost: 0, listens: false },
};

describe('createRestartableWorker', () => {
  holdTime();

  it('is lost when its lock is freed, also while nothing is asked of it', async () => {
    const { worker, locks, lost, live } = setUp();
    worker.post({ type: 'cancel', id: 7 });
    live();
    await vi.advanceTimersByTimeAsync(0);
    locks.free('life');
    await vi.advanceTimersByTimeAsync(0);
    expect(lost).toHaveBeenCalledExactlyOnceWith('it ended by itself');
  });

  it('is not lost by being closed', async () => {
    const { worker, locks, lost, live } = setUp();
    worker.post(run);
    live();
    await vi.advanceTimersByTimeAsync(0);
    worker.close();
    locks.free('life');
    await vi.advanceTimersByTimeAsync(10 * SILENCE_MS);
    expect(lost).not.toHaveBeenCalled();
  });

  it('is lost when it owes an answer and says nothing', () => {
    const { worker, lost } = setUp();
    worker.post(run);
    vi.advanceTimersByTime(SILENCE_MS);
    expect(lost).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('said nothing'));
  });

  it('may be silent for as long as it likes when it owes nothing', () => {
    const { worker, lost, received, say } = setUp();
    worker.post(run);
    say({ type: 'failed', id: 1, failure: { code: 'INTERNAL', message: '' } });
    vi.advanceTimersByTime(100 * SILENCE_MS);
    expect(received).toHaveBeenCalledOnce();
    expect(lost).not.toHaveBeenCalled();
  });

  it('may be silent for ten times as long as it has said', () => {
    const { worker, lost, say } = setUp();
    worker.post(run);
    say({ type: 'beat', expectedMs: 30_000 });
    vi.advanceTimersByTime(299_999);
    expect(lost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(lost).toHaveBeenCalledOnce();
  });

  it('hears nothing more of a worker that was closed', () => {
    const { worker, ports, received, lost, say } = setUp();
    worker.post(run);
    worker.close();
    worker.post(run);
    say({ type: 'cancelled', id: 1 }, ports[0]);
    ports[0]?.onlost?.('late');
    expect(received).not.toHaveBeenCalled();
    expect(lost).not.toHaveBeenCalled();
    expect(ports).toHaveLength(2);
  });
});
