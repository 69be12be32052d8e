import { describe, expect, it, vi } from 'vitest';
import { awaitEnd, pageLocks } from '../../../src/scheduler/spawn.ts';
import { createFakeLocks } from '../../support/fakes/fake-locks.ts';
import { eventually } from '../../support/eventually.ts';

const FOREVER = new Promise<never>(() => undefined);

describe('awaitEnd', () => {
  it('tells once the holder of the lock is gone, and not before', async () => {
    const locks = createFakeLocks();
    const onGone = vi.fn();
    void locks.request('life', () => FOREVER);
    awaitEnd(locks, 'life', onGone);
    await Promise.resolve();
    expect(onGone).not.toHaveBeenCalled();
    locks.free('life');
    await eventually(() => expect(onGone).toHaveBeenCalledOnce());
  });

  it('gives its place in the queue up when nobody waits any more', async () => {
    const locks = createFakeLocks();
    const onGone = vi.fn();
    void locks.request('life', () => FOREVER);
    const stop = awaitEnd(locks, 'life', onGone);
    await eventually(() => expect(locks.waiting('life')).toBe(1));
    stop();
    expect(locks.waiting('life')).toBe(0);
    locks.free('life');
    await Promise.resolve();
    expect(onGone).not.toHaveBeenCalled();
  });

  it('leaves it to the watchdog where locks are forbidden', async () => {
    const request = () => Promise.reject(new DOMException('sandboxed', 'SecurityError'));
    const onGone = vi.fn();
    awaitEnd({ request: request as LockManager['request'] }, 'life', onGone);
    await Promise.resolve();
    expect(onGone).not.toHaveBeenCalled();
  });
});

it('knows no locks where there is no navigator, as in an old browser or Node 20', () => {
  vi.stubGlobal('navigator', undefined);
  expect(pageLocks()).toBeUndefined();
  vi.unstubAllGlobals();
});
