import { afterEach, expect, it, vi } from 'vitest';
import { spawnInference } from '../../../../src/scheduler/spawn.ts';

/** As browsers have it: an event target with `onmessage` and `onerror`; Chromium has no `onmessageerror`. */
class FakeWorker extends EventTarget {
  static newest: FakeWorker | undefined;
  onmessage: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();

  constructor() {
    super();
    FakeWorker.newest = this;
    this.addEventListener('error', (event) => this.onerror?.(event));
  }
}

function setUp() {
  vi.stubGlobal('Worker', FakeWorker);
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const port = spawnInference('worker.js');
  const onlost = vi.fn();
  port.onlost = onlost;
  return { onlost, logged, worker: FakeWorker.newest };
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
