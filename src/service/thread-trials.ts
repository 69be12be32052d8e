import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { PrepareJob, ThreadFigures } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/job.ts';
import { createScheduler, type Scheduler } from '../scheduler/scheduler.ts';
import { spawnInference, type WorkerSource } from '../scheduler/spawn.ts';
import { createKeptTrials, keyOf } from './kept-trials.ts';

/** See `createThreadTrials`. */
export interface TrialOptions {
  /** Of the workers that answer requests. */
  readonly submit: Submit;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly inference?: WorkerSource | undefined;
  /** How long no job must have run before a trial begins. */
  readonly idleMs?: number | undefined;
  /** As `dispose`. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the page can have threads, and may use the processor now. */
  readonly mayTry?: () => boolean;
  readonly cores?: number;
}

/** Jobs that run on the numbers of threads that were chosen by trials. */
export interface ThreadTrials {
  readonly submit: Submit;
  /** Ends a trial that goes on; none begins any more. */
  dispose(): void;
}

const IDLE_MS = 30_000;

/**
 * Tries numbers of threads for each model that was used, in a worker of its own and only while the page is idle: a job ends the trial,
 * which begins again later. What was measured decides on the next visit, so that no model is loaded twice for it, and a record's
 * figures hold for the whole visit.
 */
export function createThreadTrials({ submit: run, idleMs = IDLE_MS, signal, ...options }: TrialOptions): ThreadTrials {
  const { inference, mayTry = mayTryHere } = options;
  const trials = createKeptTrials(options.storage, options.cores ?? navigator.hardwareConcurrency);
  const waiting = new Map<string, PrepareJob>();
  const met = new Set<string>();
  const trial = createTrial(inference);
  const idle = createIdleClock(idleMs, () => waiting.size > 0 && void tryNext());

  function note(input: Jobs[JobKind]['input']): void {
    if (!isFree(input)) return;
    const { model, backend, wasmUrl } = input;
    const key = keyOf(model);
    if (!met.has(key) && trials.wants(model))
      waiting.set(key, { model, ...(backend && { backend }), ...(wasmUrl && { wasmUrl }) });
    met.add(key);
  }

  async function tryNext(): Promise<void> {
    const [next] = waiting;
    if (!next || !mayTry()) return idle.wait();
    const [key, job] = next;
    // Found loaded, as it was just used: tells what it runs on.
    const prepared = await run('prepare', job).catch(() => null); // the service has ended
    if (!idle.isIdle()) return;
    const figures = prepared?.ok && prepared.value.backend === 'wasm' ? await trial.figuresOf(job) : null;
    if (figures === 'ended') return;
    waiting.delete(key);
    if (figures?.skipped === null) trials.add(job.model, figures);
    idle.wait();
  }

  function dispose(): void {
    idle.stop();
    trial.end();
  }

  signal?.addEventListener('abort', dispose, { once: true });
  return {
    dispose,
    submit(kind, input, submitOptions) {
      idle.began();
      trial.end();
      const threads = isFree(input) ? trials.chosen(input.model) : undefined;
      const answer = run(kind, threads ? { ...input, threads } : input, submitOptions);
      answer.then(({ ok }) => ok && note(input)).then(idle.ended, idle.ended);
      return answer;
    },
  };
}

/** Begins something each time when nothing has run for so long. */
function createIdleClock(idleMs: number, begin: () => void) {
  let running = 0;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isIdle = () => running === 0 && !isStopped;
  const wait = () => {
    clearTimeout(timer);
    if (isIdle()) timer = setTimeout(begin, idleMs);
  };
  return {
    isIdle,
    wait,
    began() {
      running++;
      clearTimeout(timer);
    },
    ended() {
      running--;
      wait();
    },
    /** For good. */
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Whether a job runs a model here, on no number of threads that somebody has set. */
function isFree(input: Jobs[JobKind]['input']): input is Jobs[JobKind]['input'] & PrepareJob {
  return 'model' in input && input.threads === undefined && input.remote === undefined;
}

/** One trial at a time, in a worker of its own. */
function createTrial(inference: WorkerSource | undefined) {
  let worker: Scheduler | null = null;
  const end = () => {
    worker?.dispose();
    worker = null;
  };
  return {
    end,
    /** null: it has failed, which is reported; `ended`: by `end`, and may begin again. */
    async figuresOf(job: PrepareJob): Promise<ThreadFigures | 'ended' | null> {
      const own = (worker = createScheduler({ spawn: () => spawnInference(inference) }));
      const result = await own.submit('tryThreads', { ...job, backend: 'wasm' }).catch(() => 'ended' as const);
      own.dispose();
      if (result === 'ended') return 'ended';
      if (result.ok) return result.value;
      console.warn(`Numbers of threads were not tried for ${job.model.name}: ${result.failure.message}`);
      return null;
    },
  };
}

/** Browsers slow hidden pages down. */
function mayTryHere(): boolean {
  return globalThis.crossOriginIsolated && document.visibilityState === 'visible';
}
