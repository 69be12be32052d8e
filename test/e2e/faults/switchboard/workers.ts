import { board, BOARD, ENDS, forgetWorker, get, isFailing, UNREADABLE } from './board.ts';

/** As the platform has it: the name is put another class behind. */
const Original = globalThis.Worker;

const alive = new Set<Worker>();

/** Workers that were started and not ended. */
export function liveWorkers(): number {
  return alive.size;
}

/** The page's workers, and the messages to them. */
export function watchWorkers(): void {
  globalThis.Worker = class extends Original {
    readonly #isInference: boolean;

    constructor(url: string | URL, options?: WorkerOptions) {
      if (isFailing('worker start: throws')) throw new DOMException('Workers are not allowed.', 'SecurityError');
      super(isFailing('worker start: script is missing') ? '/missing.js' : url, options);
      this.#isInference = options?.name === 'inference';
      if (this.#isInference) forgetWorker();
      alive.add(this);
      super.postMessage({ [BOARD]: board.memory, worker: this.#isInference ? get('worker') : 0 });
      this.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (typeof event.data !== 'object' || event.data === null || !(UNREADABLE in event.data)) return;
        event.stopImmediatePropagation();
        this.dispatchEvent(new MessageEvent('messageerror'));
      });
    }

    override postMessage(message: unknown, more?: unknown): void {
      if (isFailing('message to worker: throws')) throw new DOMException('It could not be cloned.', 'DataCloneError');
      if (isFailing('message to worker: unreadable')) return super.postMessage({ [UNREADABLE]: true });
      if (isFailing('message to worker: worker ends')) return super.postMessage({ [ENDS]: true });
      Reflect.apply(Original.prototype.postMessage, this, [message, more]);
    }

    override terminate(): void {
      if (alive.delete(this) && this.#isInference) forgetWorker();
      super.terminate();
    }
  };
}
