import type { LifeSign } from '../../src/protocol/messages.ts';

/**
 * Takes an exclusive Web Lock until this worker ends, in whatever way, and then tells the page its name. The name is
 * random, so nobody else can take the lock and pass for this worker.
 *
 * @param fail  told why the page could not be told
 */
export function holdLifeLock(
  port: { postMessage(message: LifeSign): void },
  locks: Pick<LockManager, 'request'> | undefined,
  fail: (error: unknown) => void = failLoudly,
): void {
  if (!locks) return; // an insecure context
  const lock = `lightwell ${crypto.randomUUID()}`;
  const untilTheEnd = new Promise<never>(() => undefined);
  const held = locks.request(lock, () => {
    try {
      port.postMessage({ type: 'alive', lock });
    } catch (error) {
      fail(error);
    }
    return untilTheEnd;
  });
  held.catch(() => undefined); // forbidden, as in a sandboxed frame: the page's watchdog is left
}

/** A message that cannot be read, for lack of memory say, may be a job: an error that nobody catches tells the page. */
export function failOnUnreadable(scope: Pick<EventTarget, 'addEventListener'>): void {
  scope.addEventListener('messageerror', () => {
    throw new DOMException('a message to the worker could not be read', 'DataError');
  });
}

/** Tells the page that this worker is of no use: an error that nobody catches reaches it where no message does. */
export function failLoudly(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}
