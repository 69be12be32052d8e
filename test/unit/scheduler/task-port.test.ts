import { describe, expect, it, vi } from 'vitest';
import type { FromWorker, JobTasks, RunMessage } from '../../../src/protocol/messages.ts';
import type { WorkerPort } from '../../../src/scheduler/spawn.ts';
import { createTaskPort } from '../../../src/scheduler/task-port.ts';
import { holdTime } from '../../support/fakes/fake-time.ts';
import { firstModel } from '../../support/fakes/jobs.ts';

const SILENCE_MS = 60_000;
const GRACE_MS = 1_000;

function setUp() {
  const ports: WorkerPort[] = [];
  const onLost = vi.fn();
  const spawn = () => {
    const port = { onmessage: null, onlost: null, postMessage: vi.fn(), terminate: vi.fn() };
    ports.push(port);
    return port;
  };
  const port = createTaskPort<JobTasks>({ spawn, silenceMs: SILENCE_MS, graceMs: GRACE_MS }, onLost);
  const settle = vi.fn();
  const start = (id: number) => port.start(runOf(id), { settle: (outcome) => settle(id, outcome) });
  const say = (message: FromWorker, from = ports.at(-1)) =>
    from?.onmessage?.(new MessageEvent('message', { data: message }));
  return { port, ports, onLost, settle, start, say };
}

function runOf(id: number): RunMessage {
  const rank = { nice: false, cost: 0, listens: false };
  return { type: 'run', id, kind: 'prepare', input: { model: firstModel() }, ...rank };
}

describe('createTaskPort', () => {
  holdTime();

  it('settles each task with the final message of its id', () => {
    const { settle, start, say } = setUp();
    start(1);
    start(2);
    say({ type: 'cancelled', id: 2 });
    say({ type: 'cancelled', id: 2 });
    expect(settle.mock.calls).toEqual([[2, { type: 'cancelled', id: 2 }]]);
  });

  it('settles all tasks when its worker dies, also while nothing is asked of it, and starts another', () => {
    const { ports, onLost, settle, start } = setUp();
    start(1);
    start(2);
    ports[0]?.onlost?.('out of memory');
    const lost = { type: 'lost', reason: 'out of memory' };
    expect(settle.mock.calls).toEqual([
      [1, lost],
      [2, lost],
    ]);
    expect(onLost).toHaveBeenCalledExactlyOnceWith({ reason: 'out of memory' });
    start(3);
    expect(ports).toHaveLength(2);
  });

  it('settles its tasks when it is closed, and is not lost by it', () => {
    const { port, ports, onLost, settle, start, say } = setUp();
    start(1);
    port.close('enough');
    expect(settle).toHaveBeenCalledExactlyOnceWith(1, { type: 'lost', reason: 'enough' });
    start(2);
    say({ type: 'cancelled', id: 2 }, ports[0]);
    ports[0]?.onlost?.('late');
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(onLost).not.toHaveBeenCalled();
    expect(settle).toHaveBeenCalledOnce();
    expect(ports).toHaveLength(2);
  });

  it('is lost when it owes an answer and sends nothing', () => {
    const { onLost, start } = setUp();
    start(1);
    vi.advanceTimersByTime(SILENCE_MS);
    expect(onLost).toHaveBeenCalledExactlyOnceWith({
      reason: expect.stringContaining('said nothing'),
      isStuck: true,
      failure: undefined,
    });
  });

  it('is lost sooner in a step with a limit, with what the step is refused with', () => {
    const { onLost, start, say } = setUp();
    const failure = { code: 'MODEL_UNAVAILABLE', message: 'endless' } as const;
    start(1);
    say({ type: 'beat', expectedMs: 0, limit: { ms: 5_000, failure } });
    start(2);
    vi.advanceTimersByTime(4_999);
    expect(onLost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onLost).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ isStuck: true, failure }));
    start(3);
    vi.advanceTimersByTime(SILENCE_MS);
    expect(onLost).toHaveBeenLastCalledWith(expect.objectContaining({ failure: undefined }));
  });

  it('forgets a limit that the next message does not have', () => {
    const { onLost, start, say } = setUp();
    start(1);
    say({ type: 'beat', expectedMs: 0, limit: { ms: 5_000, failure: { code: 'MODEL_UNAVAILABLE', message: '' } } });
    say({ type: 'beat', expectedMs: 0 });
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(onLost).not.toHaveBeenCalled();
  });

  it('may send nothing for as long as it likes when it owes nothing', () => {
    const { onLost, start, say, settle } = setUp();
    start(1);
    say({ type: 'failed', id: 1, failure: { code: 'INTERNAL', message: '' } });
    say({ type: 'beat', expectedMs: 0 });
    vi.advanceTimersByTime(100 * SILENCE_MS);
    expect(settle).toHaveBeenCalledOnce();
    expect(onLost).not.toHaveBeenCalled();
  });

  it('may send nothing for ten times as long as it expected', () => {
    const { onLost, start, say } = setUp();
    start(1);
    say({ type: 'beat', expectedMs: 30_000 });
    vi.advanceTimersByTime(299_999);
    expect(onLost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('ends a worker that does not stop a cancelled task, for the sake of that one', () => {
    const { port, onLost, start } = setUp();
    start(1);
    start(2);
    port.cancel(2);
    port.cancel(77);
    vi.advanceTimersByTime(GRACE_MS);
    expect(onLost).toHaveBeenCalledExactlyOnceWith({ reason: 'a cancelled task did not stop', cause: 2 });
  });
});
