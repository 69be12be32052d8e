import { expect, it, vi } from 'vitest';
import { failLoudly, failOnUnreadable, holdLifeLock } from '../../../../workers/serving/liveness.ts';
import { createFakeLocks } from '../../../support/fakes/fake-locks.ts';
import { eventually } from '../../../support/eventually.ts';

it('holds a lock of a name that nobody can guess, and says it once it holds it', async () => {
  const locks = createFakeLocks();
  const said: unknown[] = [];
  const port = { postMessage: (message: unknown) => void said.push(message) };
  holdLifeLock(port, locks);
  holdLifeLock(port, locks);
  await eventually(() => expect(said).toHaveLength(2));
  expect(said).toEqual(locks.names().map((lock) => ({ type: 'alive', lock })));
  for (const name of locks.names()) expect(name).toMatch(/^lightwell [0-9a-f-]{36}$/);
  expect(new Set(locks.names()).size).toBe(2);
  const onGone = vi.fn();
  void locks.request(locks.names()[0] ?? '', onGone);
  await Promise.resolve();
  expect(onGone).not.toHaveBeenCalled();
});

it('says nothing where there are no locks, or they are forbidden', async () => {
  const postMessage = vi.fn();
  holdLifeLock({ postMessage }, undefined);
  const forbidden = () => Promise.reject(new DOMException('sandboxed', 'SecurityError'));
  holdLifeLock({ postMessage }, { request: forbidden as LockManager['request'] });
  await Promise.resolve();
  expect(postMessage).not.toHaveBeenCalled();
});

it('fails where the page cannot be told of the lock', async () => {
  const error = new DOMException('no memory', 'DataCloneError');
  const fail = vi.fn();
  const postMessage = () => {
    throw error;
  };
  holdLifeLock({ postMessage }, createFakeLocks(), fail);
  await eventually(() => expect(fail).toHaveBeenCalledExactlyOnceWith(error));
});

it('fails with an error in a task of its own, which nothing catches', () => {
  vi.useFakeTimers();
  const error = new Error('nothing can be said');
  failLoudly(error);
  expect(() => vi.runAllTimers()).toThrow(error);
  vi.useRealTimers();
});

it('fails with an error that nobody catches where a message cannot be read', () => {
  const addEventListener = vi.fn();
  failOnUnreadable({ addEventListener });
  const [[type, listener] = []] = addEventListener.mock.calls;
  expect(type).toBe('messageerror');
  expect(listener).toThrow('could not be read');
});
