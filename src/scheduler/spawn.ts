import type { Port } from '../protocol/messages.ts';

/** A worker as the scheduler sees it. */
export interface Lane extends Port {
  /** Called once when the worker has died by itself; the reason is for people. */
  onlost: ((reason: string) => void) | null;
  /** Ends the worker at once; `onlost` is not called. */
  terminate(): void;
}

/** Starts an inference worker. Only this file names a worker's. */
export function spawnInferenceLane(): Lane {
  return laneOf(
    // The bundler finds a worker by this very form, address and options in one expression.
    new Worker(new URL('../../workers/inference.worker.ts', import.meta.url), { type: 'module', name: 'inference' }),
  );
}

/** Starts a documents worker. */
export function spawnDocumentsLane(): Lane {
  return laneOf(
    new Worker(new URL('../../workers/documents.worker.ts', import.meta.url), { type: 'module', name: 'documents' }),
  );
}

function laneOf(worker: Worker): Lane {
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
