import type { AliveMessage, Port } from '../../src/protocol/messages.ts';
import {
  listRequests,
  type RequestScope,
  type RequestSender,
  REQUESTS_CHANNEL,
} from '../../src/protocol/page/privacy-facts.ts';

/**
 * Holds an exclusive Web Lock until this worker ends, in whatever way, and sends its name to the page. The name is random, so
 * nothing else can hold the lock and pass for this worker.
 *
 * @param fail  called with the error when the message cannot be posted
 */
export function holdLifeLock(
  port: Pick<Port, 'postMessage'>,
  locks: Pick<LockManager, 'request'> | undefined,
  fail: (error: unknown) => void = failLoudly,
): void {
  if (!locks) return; // an insecure context
  const lock = `lightwell ${crypto.randomUUID()}`;
  const untilTheEnd = new Promise<never>(() => undefined);
  const held = locks.request(lock, () => {
    try {
      port.postMessage({ type: 'alive', lock } satisfies AliveMessage, []);
    } catch (error) {
      fail(error);
    }
    return untilTheEnd;
  });
  held.catch(() => undefined); // forbidden, as in a sandboxed frame: the page still has its watchdog
}

/** An unreadable message, such as for lack of memory, may be a job: an uncaught error notifies the page. */
export function failOnUnreadable(scope: Pick<EventTarget, 'addEventListener'>): void {
  scope.addEventListener('messageerror', () => {
    throw new DOMException('a message to the worker could not be read', 'DataError');
  });
}

/** Throws an uncaught error: it notifies the page that this worker is broken where no message can. */
export function failLoudly(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

/** Answers a page's question for the network requests of this worker. */
export function reportRequests(
  scope: RequestScope,
  by: RequestSender,
  channel: Pick<BroadcastChannel, 'onmessage' | 'postMessage'> = new BroadcastChannel(REQUESTS_CHANNEL),
): void {
  const list = listRequests(scope, by);
  channel.onmessage = ({ data }: MessageEvent) => {
    if (typeof data === 'string') channel.postMessage(list()); // a page's question; other workers' lists arrive here too
  };
}
