import { vi } from 'vitest';

/** A worker whose events tests dispatch; it does nothing by itself. */
export class FakeWorker extends EventTarget {
  static newest: FakeWorker | undefined;
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();

  constructor() {
    super();
    FakeWorker.newest = this;
  }
}
