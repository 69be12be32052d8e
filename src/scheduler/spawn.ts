import type { Port } from '../protocol/messages.ts';

/** A worker as the scheduler sees it. */
export interface WorkerPort extends Port {
  /** Called once when the worker has died by itself; the reason is for people. */
  onlost: ((reason: string) => void) | null;
  /** Ends the worker at once; `onlost` is not called. */
  terminate(): void;
}

/** Address of a worker's script on this origin, or what starts a worker. */
export type WorkerSource = string | URL | (() => WorkerPort);

/** Starts an inference worker, by default the one of this build. Only this file names a worker's script. */
export function spawnInference(source?: WorkerSource): WorkerPort {
  if (source !== undefined) return spawnFrom(source, 'inference');
  return portOf(
    // The bundler finds a worker by this very form, address and options in one expression.
    new Worker(new URL('../../workers/inference.worker.ts', import.meta.url), { type: 'module', name: 'inference' }),
  );
}

/** Starts a documents worker, by default the one of this build. */
export function spawnDocuments(source?: WorkerSource): WorkerPort {
  if (source !== undefined) return spawnFrom(source, 'documents');
  return portOf(
    new Worker(new URL('../../workers/documents.worker.ts', import.meta.url), { type: 'module', name: 'documents' }),
  );
}

/** Starts a worker that parses PDFs; it speaks the protocol of pdf.js. */
export function spawnPdf(): Worker {
  return new Worker(new URL('../../workers/pdf.worker.ts', import.meta.url), { type: 'module', name: 'pdf' });
}

/** Starts a worker that searches, draws and sorts collections of texts; it speaks the protocol of analysis tasks. */
export function spawnAnalysis(): Worker {
  return new Worker(new URL('../../workers/analysis/analysis.worker.ts', import.meta.url), {
    type: 'module',
    name: 'analysis',
  });
}

/** Starts the worker that fetches models from a hub and keeps them; it speaks the protocol of keeping tasks. */
export function spawnKeeping(): Worker {
  return new Worker(new URL('../../workers/keeping/keeping.worker.ts', import.meta.url), {
    type: 'module',
    name: 'keeping',
  });
}

function spawnFrom(source: WorkerSource, name: string): WorkerPort {
  return typeof source === 'function' ? source() : portOf(new Worker(source, { type: 'module', name }));
}

function portOf(worker: Worker): WorkerPort {
  const port: WorkerPort = {
    onmessage: null,
    onlost: null,
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
  };
  hear(worker, {
    message: (event) => port.onmessage?.(event),
    lost: (reason) => port.onlost?.(reason),
  });
  return port;
}

/** Who listens to a worker. */
export interface Listener<Message> {
  readonly message: (event: MessageEvent<Message>) => void;
  /** The worker has died by itself, could not be started or cannot be understood; the reason is for people. */
  readonly lost: (reason: string) => void;
}

/** Listens to a worker's messages, and to its end. */
export function hear<Message>(worker: Worker, { message, lost }: Listener<Message>): void {
  worker.onmessage = message;
  worker.onerror = (event) => {
    event.preventDefault(); // it is dealt with here: the page itself has no error
    console.error(event.message || event);
    lost(event.message || 'the worker could not be started');
  };
  // Chromium's workers have the event, but no property for it.
  worker.addEventListener('messageerror', () => lost('a message from the worker could not be read'));
}
