import type { JobProgress } from '../../src/protocol/progress.ts';

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
