import type { Progress } from '../../src/contract/progress.ts';

/** What a job may ask of whoever runs it. */
export interface JobContext {
  /**
   * Lets other messages in and other jobs go first where this one is nice.
   *
   * @throws {DOMException} `AbortError` once the job is cancelled
   */
  checkpoint(): Promise<void>;
  progress(progress: Progress): void;
}
