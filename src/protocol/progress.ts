import type { CompletedPart } from './likelihood/complete-job.ts';
import type { PlacedAnswer } from './document-jobs.ts';
import type { ExplainedPart } from './target-jobs.ts';

/** How far a job has come, in the units of its phase: bytes while downloading, parts of the work while running. */
export interface JobProgress {
  readonly phase: 'queue' | 'download' | 'compile' | 'run';
  readonly done: number;
  readonly total: number;
  readonly explained?: ExplainedPart;
  readonly answered?: readonly PlacedAnswer[];
  readonly completed?: readonly CompletedPart[];
}
