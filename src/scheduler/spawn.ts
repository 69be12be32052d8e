import type { AliveMessage, Port } from '../protocol/messages.ts';

/** A worker as the scheduler sees it. */
export interface WorkerPort extends Port {
  /** Called once when the worker has ended by itself; the reason is shown to people. */
  onlost: ((reason: string) => void) | null;
  /** Ends the worker at once; `onlost` is not called. */
  terminate(): void;
}

/** Address of a worker's script on this origin, or what starts a worker. */
export type WorkerSource = string | URL | (() => WorkerPort);

// The bundler finds a worker by this very form, address and options in one expression. Only this file names the scripts.
const WORKERS = {
  inference: () =>
    new Worker(new URL('../../workers/inference.worker.ts', import.meta.url), { type: 'module', name: 'inference' }),
  documents: () =>
    new Worker(new URL('../../workers/documents.worker.ts', import.meta.url), { type: 'module', name: 'documents' }),
  analysis: () =>
    new Worker(new URL('../../workers/analysis.worker.ts', import.meta.url), { type: 'module', name: 'analysis' }),
  downloads: () =>
    new Worker(new URL('../../workers/downloads.worker.ts', import.meta.url), { type: 'module', name: 'downloads' }),
};

/** Starts a worker, by default that of this build. */
export function spawnWorker(name: keyof typeof WORKERS, source?: WorkerSource): WorkerPort {
  if (typeof source === 'function') return source();
  return portOf(source === undefined ? WORKERS[name]() : new Worker(source, { type: 'module', name }));
}

/** Starts a worker that parses PDFs; it speaks the protocol of pdf.js, and `listen` notices its end. */
export function spawnPdf(): Worker {
  return new Worker(new URL('../../workers/pdf.worker.ts', import.meta.url), { type: 'module', name: 'pdf' });
}

function portOf(worker: Worker): WorkerPort {
  const port: WorkerPort = {
    onmessage: null,
    onlost: null,
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    terminate() {
      stop();
      worker.terminate();
    },
  };
  worker.addEventListener('message', (event) => port.onmessage?.(event));
  const stop = listen(worker, (reason) => port.onlost?.(reason));
  return port;
}

/**
 * Notices in three ways that a worker has ended by itself: it reports an error, a message of it cannot be read, or the Web
 * Lock that it holds while it runs is freed.
 *
 * @param onLost  gets the reason, shown to people
 * @param locks   undefined where the browser has none
 * @returns       what stops listening for a freed lock, before the worker is terminated
 */
export function listen(worker: Worker, onLost: (reason: string) => void, locks = pageLocks()): () => void {
  let stop: () => void = () => undefined;
  worker.addEventListener('message', ({ data }: MessageEvent<AliveMessage | { readonly type?: unknown }>) => {
    if (data.type === 'alive' && 'lock' in data && locks)
      stop = awaitEnd(locks, data.lock, () => onLost('it ended by itself'));
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault(); // handled here: it is not an error of the page
    console.error(event.message || event);
    onLost(event.message || 'the worker could not be started');
  });
  worker.addEventListener('messageerror', () => onLost('a message from the worker could not be read'));
  return () => stop();
}

type Locks = Pick<LockManager, 'request'>;

/** The locks of this page; undefined in an insecure context and in Node, where only the watchdog notices a lost worker. */
export function pageLocks(): Locks | undefined {
  return globalThis.navigator?.locks;
}

/**
 * Calls `onGone` once the worker that holds a lock has ended, for whatever reason: the browser then frees its locks and
 * grants this request.
 *
 * @param name  of the lock, which the worker holds by now
 * @returns     what ends the wait
 */
export function awaitEnd(locks: Locks, name: string, onGone: () => void): () => void {
  const waiting = new AbortController();
  // Rejects when the wait is ended, and where locks are forbidden, as in a sandboxed frame: the watchdog is left then.
  locks.request(name, { signal: waiting.signal }, onGone).catch(() => undefined);
  return () => waiting.abort();
}
