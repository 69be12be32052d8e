import type { DocumentsKind, JobKind } from '../protocol/jobs.ts';
import type { Submit } from '../scheduler/job.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { spawnDocuments, spawnInference, type WorkerSource } from '../scheduler/spawn.ts';

/** Reading a file cannot be interrupted, so its worker is ended; the next file starts a new one. */
const DOCUMENTS_GRACE_MS = 100;

/** Which jobs are the documents worker's. */
const OF_DOCUMENTS: Readonly<Record<DocumentsKind, true>> = { extractText: true };

/** See `createWorkers`. */
export interface WorkersOptions {
  readonly inference?: WorkerSource;
  readonly documents?: WorkerSource;
  readonly maxWaiting: () => number;
}

/** The worker pool behind one `submit`: each job goes to the worker that serves its kind. A worker starts with its first job. */
export function createWorkers({ inference, documents, maxWaiting }: WorkersOptions): {
  readonly submit: Submit;
  dispose(): void;
} {
  const forModels = createScheduler({ spawn: () => spawnInference(inference), maxWaiting });
  const forFiles = createScheduler({ spawn: () => spawnDocuments(documents), graceMs: DOCUMENTS_GRACE_MS });
  return {
    submit: (kind, ...job) => (isOfDocuments(kind) ? forFiles : forModels).submit(kind, ...job),
    dispose() {
      forModels.dispose();
      forFiles.dispose();
    },
  };
}

function isOfDocuments(kind: JobKind): kind is DocumentsKind {
  return kind in OF_DOCUMENTS;
}
