import { watchAllocations } from './allocations.ts';
import { board, BOARD, ENDS, isFailing, UNREADABLE } from './board.ts';
import { watchPictures } from './pictures.ts';
import { watchRequests } from './requests.ts';
import { watchRuntime } from './runtime.ts';

/** Stands in front of a worker's script in the test build, so that its seams can fail. */
globalThis.watchRuntime = watchRuntime;
watchAllocations();
watchRequests();
watchPictures();
watchThreads();
watchMessages();

function watchThreads(): void {
  globalThis.Worker = new Proxy(globalThis.Worker, {
    construct(target, given: [string | URL, WorkerOptions?]) {
      if (isFailing('thread start: throws')) throw new DOMException('Too many workers.', 'QuotaExceededError');
      return new target(...given);
    },
  });
}

function watchMessages(): void {
  addEventListener('message', (event: MessageEvent<unknown>) => {
    const { data } = event;
    if (typeof data !== 'object' || data === null) return;
    if (!(BOARD in data || UNREADABLE in data || ENDS in data)) return;
    event.stopImmediatePropagation();
    if (BOARD in data && data[BOARD] instanceof Int32Array) board.memory = data[BOARD];
    if ('worker' in data) board.worker = Number(data.worker);
    if (UNREADABLE in data) dispatchEvent(new MessageEvent('messageerror'));
    if (ENDS in data) globalThis.close();
  });
  const original = globalThis.postMessage;
  const post = (...given: unknown[]): void => Reflect.apply(original, globalThis, given);
  let isMute = false;
  Reflect.set(globalThis, 'postMessage', (...given: unknown[]): void => {
    isMute ||= isFailing('message from worker: throws, as do all later ones of this worker');
    if (isMute || isFailing('message from worker: throws'))
      throw new DOMException('It could not be cloned.', 'DataCloneError');
    if (isFailing('message from worker: unreadable')) return post({ [UNREADABLE]: true });
    if (isFailing('message from worker: worker ends')) return globalThis.close();
    return post(...given);
  });
}
