import type { LifeSign } from '../src/protocol/messages.ts';

/**
 * Takes an exclusive Web Lock until this worker ends, in whatever way, and then tells the page its name. The name is
 * random, so nobody else can take the lock and pass for this worker.
 */
export function holdLifeLock(
  port: { postMessage(message: LifeSign): void },
  locks: Pick<LockManager, 'request'> | undefined,
): void {
  if (!locks) return; // an insecure context
  const lock = `lightwell ${crypto.randomUUID()}`;
  const untilTheEnd = new Promise<never>(() => undefined);
  const held = locks.request(lock, () => {
    port.postMessage({ type: 'alive', lock });
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
