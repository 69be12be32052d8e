import { createScheduler, type Submit } from '../scheduler/scheduler.ts';
import type { ServiceOptions } from './service.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { Model } from '../models/model.ts';
import { spawnWorker } from '../scheduler/spawn.ts';

/** Reading a file cannot be interrupted, so its worker is ended; the next file starts a new one. */
const DOCUMENTS_GRACE_MS = 100;

/** See `createWorkers`. */
type WorkersOptions = NonNullable<ServiceOptions['workers']> & {
  readonly maxWaiting: () => number;
  /** Whether a model was found while the page runs, and may be made by anybody. */
  readonly isFound: (model: Model) => boolean;
};

/**
 * The workers of a page: of the models that it was started with, of models that were found, and of documents. Each starts with its
 * first job. So a found model that never ends a step stops no request for the page's own models.
 */
export function createWorkers({ inference, documents, maxWaiting, silenceMs, isFound }: WorkersOptions) {
  let onLost: (served: (model: Model) => boolean) => void = () => undefined;
  const forModels = (repeatsStuck: boolean, serves: (model: Model) => boolean) =>
    createScheduler({
      spawn: () => spawnWorker('inference', inference),
      maxWaiting,
      silenceMs,
      repeatsStuck,
      onLost: () => onLost(serves),
    });
  const own = forModels(true, (model) => !isFound(model));
  const found = forModels(false, isFound);
  const spawn = () => spawnWorker('documents', documents);
  const files = createScheduler({ spawn, graceMs: DOCUMENTS_GRACE_MS, silenceMs });
  const schedulerFor = (kind: JobKind, input: Jobs[JobKind]['input']) => {
    if (kind === 'extractText') return files;
    return 'model' in input && !isFound(input.model) ? own : found;
  };
  const submit: Submit = (kind, input, options) => schedulerFor(kind, input).submit(kind, input, options);
  return {
    /** Gives a job to the worker for it. */
    submit,
    /** Called after a worker was lost: the models that it served must be loaded again. */
    whenLost: (listener: typeof onLost) => void (onLost = listener),
    dispose: () => [own, found, files].forEach((scheduler) => scheduler.dispose()),
  };
}
