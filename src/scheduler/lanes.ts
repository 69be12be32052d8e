import type { DocumentsKind, JobKind } from '../protocol/jobs.ts';
import type { Submit } from './job.ts';

/** Schedulers by what their worker does. */
export interface Lanes {
  readonly inference: Submit;
  readonly documents: Submit;
}

/** Which jobs are the documents worker's. */
const OF_DOCUMENTS: Readonly<Record<DocumentsKind, true>> = { extractText: true };

/** One door to several workers: each job goes to the one that serves its kind. */
export function submitTo({ inference, documents }: Lanes): Submit {
  return (kind, ...job) => (isOfDocuments(kind) ? documents(kind, ...job) : inference(kind, ...job));
}

function isOfDocuments(kind: JobKind): kind is DocumentsKind {
  return kind in OF_DOCUMENTS;
}
