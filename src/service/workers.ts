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
  /** The least silence after which a busy worker counts as stuck; left out: a minute. */
  readonly silenceMs?: number;
  /** Told after the worker of the models was lost: whatever was loaded there must be loaded again. */
  readonly onLost?: () => void;
}

/** The worker pool behind one `submit`: each job goes to the worker that serves its kind. A worker starts with its first job. */
export function createWorkers({ inference, documents, maxWaiting, onLost, ...patience }: WorkersOptions): {
  readonly submit: Submit;
  dispose(): void;
} {
  const forModels = createScheduler({
    ...patience,
    spawn: () => spawnInference(inference),
    maxWaiting,
    ...(onLost && { onLost }),
  });
  const forFiles = createScheduler({
    ...patience,
    spawn: () => spawnDocuments(documents),
    graceMs: DOCUMENTS_GRACE_MS,
  });
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
