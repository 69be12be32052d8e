import type { PrepareJob } from './model-job.ts';
import type { JobPrompt } from './prompt.ts';

/** A document as a reader gets it; `path` is its place in the request, such as `documents[2].text`. */
export type ReadableDocument =
  | { readonly type: 'text'; readonly path: string; readonly text: string }
  | { readonly type: 'prompt'; readonly prompt: JobPrompt };

/** Answer a question from documents. */
export interface QaJob extends PrepareJob {
  /** Never empty, well-formed. */
  readonly query: string;
  readonly documents: readonly ReadableDocument[];
  readonly maxAnswers: number;
}

/** An answer, how likely it is right, 0 … 1, and the chunk that it stands in. */
export interface FoundAnswer {
  readonly answer: string;
  readonly score: number;
  readonly evidence: string;
}

/** One answer per chunk, best first. */
export interface QaAnswered {
  readonly answers: readonly FoundAnswer[];
}

/** Text of a Docx file. */
export interface ExtractTextJob {
  /** In shared memory where it is large. */
  readonly file: Uint8Array;
  /** Where it stands in the request, for messages. */
  readonly path: string;
}

/** The text of a document, its paragraphs separated by blank lines. */
export interface ExtractedText {
  readonly text: string;
}
