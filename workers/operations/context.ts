import type { PrepareJob } from '../../src/protocol/model-job.ts';
import type { JobProgress } from '../../src/protocol/progress.ts';
import type { LoadedModel } from '../engine/engine.ts';

/** What a job may ask of whoever runs it. */
export interface JobContext {
  /**
   * Lets other messages in, and other jobs go first that are more urgent.
   *
   * @throws {DOMException} `AbortError` once the job is cancelled
   */
  checkpoint(): Promise<void>;
  /** Aborted once the job is cancelled: ends passes that run on another machine. */
  readonly signal?: AbortSignal;
  /** Whether progress goes anywhere; what only a listener needs is not computed without one. */
  readonly listens: boolean;
  progress(progress: JobProgress): void;
}

/** Where operations get their models from. */
export interface ModelSource {
  /** Lends a model to a task, loaded or found loaded. */
  lend<Value>(wanted: PrepareJob, context: JobContext, task: (model: LoadedModel) => Promise<Value>): Promise<Value>;
  /** Releases what is loaded of a folder. */
  unload(folder: string): Promise<void>;
}
