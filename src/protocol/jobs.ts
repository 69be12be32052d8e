import type { Completed, CompleteJob } from './likelihood/complete-job.ts';
import type { ExtractedText, ExtractTextJob, QaAnswered, QaJob } from './document-jobs.ts';
import type { Embedded, EmbedJob, SemanticEmbedded, SemanticEmbedJob } from './embedding-jobs.ts';
import type { Lensed, LensJob } from './likelihood/lens-job.ts';
import type { InspectJob, Inspection, PrepareJob, Preparation, ThreadFigures } from './model-job.ts';
import type { Evaluated, EvaluateJob, Explained, ExplainJob, Predicted, PredictJob } from './target-jobs.ts';

/**
 * Every job a worker can do: camelCase inputs that need no further check without a model, numbers out. Messages are
 * derived from these rows. What a response looks like is the router's.
 */
export interface Jobs {
  prepare: { input: PrepareJob; output: Preparation };
  /** Frees what is loaded of a folder that nobody can ask for any more. */
  unload: { input: { readonly folder: string }; output: null };
  /** Measures a model on other numbers of threads, and leaves it as it was. */
  tryThreads: { input: PrepareJob; output: ThreadFigures };
  inspect: { input: InspectJob; output: Inspection };
  embed: { input: EmbedJob; output: Embedded };
  explain: { input: ExplainJob; output: Explained };
  evaluate: { input: EvaluateJob; output: Evaluated };
  predict: { input: PredictJob; output: Predicted };
  complete: { input: CompleteJob; output: Completed };
  lens: { input: LensJob; output: Lensed };
  semanticEmbed: { input: SemanticEmbedJob; output: SemanticEmbedded };
  qa: { input: QaJob; output: QaAnswered };
  extractText: { input: ExtractTextJob; output: ExtractedText };
}

/** Name of a kind of job. */
export type JobKind = keyof Jobs;

/** Jobs of the documents worker; all others are the inference worker's. */
export type DocumentsKind = 'extractText';
