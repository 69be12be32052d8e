import type { Port } from '../protocol/messages.ts';

/** A worker as the scheduler sees it. */
export interface Lane extends Port {
  /** Called once when the worker has died by itself; the reason is for people. */
  onlost: ((reason: string) => void) | null;
  /** Ends the worker at once; `onlost` is not called. */
  terminate(): void;
}

/** Address of a worker's script on this origin, or what starts a worker. */
export type WorkerSource = string | URL | (() => Lane);

/** Starts an inference worker; left out: the one of this build. Only this file names a worker's script. */
export function spawnInference(source?: WorkerSource): Lane {
  if (source !== undefined) return spawnFrom(source, 'inference');
  return laneOf(
    // The bundler finds a worker by this very form, address and options in one expression.
    new Worker(new URL('../../workers/inference.worker.ts', import.meta.url), { type: 'module', name: 'inference' }),
  );
}

/** Starts a documents worker; left out: the one of this build. */
export function spawnDocuments(source?: WorkerSource): Lane {
  if (source !== undefined) return spawnFrom(source, 'documents');
  return laneOf(
    new Worker(new URL('../../workers/documents.worker.ts', import.meta.url), { type: 'module', name: 'documents' }),
  );
}

function spawnFrom(source: WorkerSource, name: string): Lane {
  return typeof source === 'function' ? source() : laneOf(new Worker(source, { type: 'module', name }));
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
