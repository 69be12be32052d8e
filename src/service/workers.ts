import { createScheduler, type Submit } from '../scheduler/scheduler.ts';
import type { ServiceOptions } from './service.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { PrepareJob } from '../protocol/model-job.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { defaultModel } from '../models/default-model.ts';
import { CONFIGURABLE_USES } from './service-settings.ts';
import type { ServiceSettings } from '../contract/settings.ts';
import { isLarge, type Model, neededBytes } from '../models/model.ts';
import { spawnWorker } from '../scheduler/spawn.ts';

/** Reading a file cannot be interrupted, so its worker is ended; the next file starts a new one. */
const DOCUMENTS_GRACE_MS = 100;

type WorkersOptions = NonNullable<ServiceOptions['workers']> & {
  readonly catalogue: Catalogue;
  readonly settings: () => ServiceSettings;
};

/**
 * The workers of a page: of the models that it was started with, of models that were found, and of documents. Each starts with its
 * first job. So a found model that never ends a step stops no request for the page's own models. A worker with a large model ends
 * once that is not used (`createLargeUse`).
 */
export function createWorkers({ inference, documents, silenceMs, catalogue, settings }: WorkersOptions) {
  const { isFound } = catalogue; // such a model may be made by anybody
  let onLost: (served: (model: Model) => boolean) => void = () => undefined;
  const isChosen = ({ name }: Model) =>
    CONFIGURABLE_USES.some((use) => defaultModel(use, catalogue, settings())?.name === name);
  const forModels = (repeatsStuck: boolean, serves: (model: Model) => boolean) => {
    const scheduler = createScheduler({
      spawn: () => spawnWorker('inference', inference),
      maxWaiting: () => settings().maxWaiting,
      silenceMs,
      repeatsStuck,
      onLost: () => onLost(serves),
    });
    return { ...scheduler, largeUse: createLargeUse(scheduler, serves, isChosen) };
  };
  const own = forModels(true, (model) => !isFound(model));
  const found = forModels(false, isFound);
  const spawn = () => spawnWorker('documents', documents);
  const files = createScheduler({ spawn, graceMs: DOCUMENTS_GRACE_MS, silenceMs });
  const schedulerFor = (kind: JobKind, input: Jobs[JobKind]['input']) => {
    if (kind === 'extractText') return files;
    return 'model' in input && !isFound(input.model) ? own : found;
  };
  const submit: Submit = (kind, input, options) => {
    const note = () => 'model' in input && [own, found].forEach(({ largeUse }) => largeUse.note(input));
    note();
    const answer = schedulerFor(kind, input).submit(kind, input, options);
    answer.then(note, note);
    return answer;
  };
  return {
    submit,
    /** Called after a worker was lost: the models that it served must be loaded again. */
    whenLost: (listener: typeof onLost) => void (onLost = listener),
    dispose() {
      for (const { largeUse } of [own, found]) largeUse.dispose();
      for (const scheduler of [own, found, files]) scheduler.dispose();
    },
  };
}

/** A large model may be unused for so long, */
const IDLE_MS = 300_000;
/** or for so long after another model was used in its place: programs may ask two models in turn. */
const REPLACED_MS = 10_000;

/**
 * Follows the use of the last large model of a worker. The memory of WebAssembly never shrinks, so the worker must end once the model
 * is not needed: after `IDLE_MS`, or after `REPLACED_MS` where another model was used since and no setting chooses this one.
 *
 * @param serves  whether a model runs in the worker
 */
function createLargeUse(
  { isIdle, endWorker }: Pick<ReturnType<typeof createScheduler>, 'isIdle' | 'endWorker'>,
  serves: (model: Model) => boolean,
  isChosen: (model: Model) => boolean,
) {
  let large: Model | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let deadline = 0;
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => (isIdle() ? end() : wait(REPLACED_MS)), ms);
  };
  const end = () => {
    large = undefined;
    endWorker('its large model was not used');
  };
  return {
    /** Called when a job with a model begins, and when it ends. */
    note({ model, remote, upstream }: PrepareJob): void {
      if (!remote && !upstream && serves(model) && isLarge(neededBytes(model))) large = model;
      if (!large) return;
      const now = performance.now();
      if (model.name === large.name) deadline = now + IDLE_MS;
      else if (!isChosen(large)) deadline = Math.min(deadline, now + REPLACED_MS); // frequent uses must not postpone it
      wait(deadline - now);
    },
    dispose: () => clearTimeout(timer),
  };
}
