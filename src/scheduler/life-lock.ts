/** The part of `navigator.locks` that tells when a worker is gone. */
export type Locks = Pick<LockManager, 'request'>;

/** This page's locks; undefined in an insecure context and in Node, where the watchdog alone looks after workers. */
export function pageLocks(): Locks | undefined {
  return globalThis.navigator?.locks;
}

/**
 * Calls `onGone` once the worker that holds a lock is gone, whatever ended it: the browser frees the locks of an ended
 * worker, and then grants this request.
 *
 * @param name  of the lock, which the worker holds by now
 * @returns     what ends the wait
 */
export function awaitEnd(locks: Locks, name: string, onGone: () => void): () => void {
  const waiting = new AbortController();
  // Rejects when the wait is ended, and where locks are forbidden, as in a sandboxed frame: the watchdog is left then.
  locks.request(name, { signal: waiting.signal }, onGone).catch(() => undefined);
  return () => waiting.abort();
}
