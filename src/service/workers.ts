import { createScheduler, type Submit } from '../scheduler/scheduler.ts';
import type { ServiceOptions } from './service.ts';
import type { DocumentsKind } from '../protocol/jobs.ts';
import { spawnWorker } from '../scheduler/spawn.ts';

/** Reading a file cannot be interrupted, so its worker is ended; the next file starts a new one. */
const DOCUMENTS_GRACE_MS = 100;

/** The jobs of the documents worker. */
const OF_DOCUMENTS: Readonly<Record<DocumentsKind, true>> = { extractText: true };

/** The workers of a page. Each starts with its first job. */
export function createWorkers({
  inference,
  documents,
  maxWaiting,
  silenceMs,
}: NonNullable<ServiceOptions['workers']> & { readonly maxWaiting: () => number }) {
  let onLost: () => void = () => undefined;
  const forModels = createScheduler({
    spawn: () => spawnWorker('inference', inference),
    maxWaiting,
    silenceMs,
    onLost: () => onLost(),
  });
  const spawn = () => spawnWorker('documents', documents);
  const forFiles = createScheduler({ spawn, graceMs: DOCUMENTS_GRACE_MS, silenceMs });
  const submit: Submit = (kind, ...job) => (kind in OF_DOCUMENTS ? forFiles : forModels).submit(kind, ...job);
  return {
    /** Gives a job to the worker for its kind. */
    submit,
    /** Called after the models' worker was lost: what was loaded there must be loaded again. */
    whenLost: (listener: () => void) => void (onLost = listener),
    dispose() {
      forModels.dispose();
      forFiles.dispose();
    },
  };
}
