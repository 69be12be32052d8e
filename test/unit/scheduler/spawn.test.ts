import { afterEach, expect, it, vi } from 'vitest';
import { spawnWorker } from '../../../src/scheduler/spawn.ts';
import { createFakeLocks } from '../../support/fakes/fake-locks.ts';
import { FakeWorker } from '../../support/workers/fake-worker.ts';
import { eventually } from '../../support/eventually.ts';

function setUp() {
  const locks = createFakeLocks();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('Worker', FakeWorker);
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const port = spawnWorker('inference', 'worker.js');
  const onlost = vi.fn();
  port.onlost = onlost;
  return { port, onlost, logged, locks, worker: FakeWorker.newest };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('takes an error of the worker as its end; the page has none for it, and the console has its message', () => {
  const { onlost, logged, worker } = setUp();
  const error = Object.assign(new Event('error', { cancelable: true }), { message: 'broken' });
  worker?.dispatchEvent(error);
  expect(onlost).toHaveBeenCalledExactlyOnceWith('broken');
  expect(error.defaultPrevented).toBe(true);
  expect(logged).toHaveBeenCalledExactlyOnceWith('broken');
});

it('says so where a worker could not be started', () => {
  const { onlost, worker } = setUp();
  worker?.dispatchEvent(new Event('error', { cancelable: true }));
  expect(onlost).toHaveBeenCalledExactlyOnceWith('the worker could not be started');
});

it('takes a message that cannot be read as the end of the worker', () => {
  const { onlost, worker } = setUp();
  worker?.dispatchEvent(new MessageEvent('messageerror'));
  expect(onlost).toHaveBeenCalledExactlyOnceWith('a message from the worker could not be read');
});

/** The worker takes its lock and says so. */
function live({ locks, worker }: ReturnType<typeof setUp>) {
  void locks.request('life', () => new Promise(() => undefined));
  worker?.dispatchEvent(new MessageEvent('message', { data: { type: 'alive', lock: 'life' } }));
}

it('takes a freed lock as the end of the worker, unless the page has ended it', async () => {
  const dead = setUp();
  live(dead);
  await eventually(() => expect(dead.locks.waiting('life')).toBe(1));
  dead.locks.free('life');
  await eventually(() => expect(dead.onlost).toHaveBeenCalledExactlyOnceWith('it ended by itself'));
  const ended = setUp();
  live(ended);
  await eventually(() => expect(ended.locks.waiting('life')).toBe(1));
  ended.port.terminate();
  expect([ended.locks.waiting('life'), ended.worker?.terminate.mock.calls.length]).toEqual([0, 1]);
  expect(ended.onlost).not.toHaveBeenCalled();
});
