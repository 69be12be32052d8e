import type { Port } from '../protocol/messages.ts';

/** A worker as the scheduler sees it. */
export interface Lane extends Port {
  /** Called once when the worker has died by itself; the reason is for people. */
  onlost: ((reason: string) => void) | null;
  /** Ends the worker at once; `onlost` is not called. */
  terminate(): void;
}

/** Starts an inference worker. The only place that names a worker's file. */
export function spawnInferenceLane(): Lane {
  const worker = new Worker(new URL('../../workers/inference.worker.ts', import.meta.url), {
    type: 'module',
    name: 'inference',
  });
  const lane: Lane = {
    onmessage: null,
    onlost: null,
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
  };
  worker.onmessage = (event) => lane.onmessage?.(event);
  worker.onerror = (event) => lane.onlost?.(event.message || 'the worker could not be started');
  worker.onmessageerror = () => lane.onlost?.('a message from the worker could not be read');
  return lane;
}
