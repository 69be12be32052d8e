import type { Span } from '../contract/code-points.ts';
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

/** Where an answer stands in a text, UTF-16 units. */
export interface PlacedAnswer {
  /** Index in the documents of the job. */
  readonly document: number;
  readonly score: number;
  /** null for an answer that was written and not pointed at. */
  readonly answer: Span | null;
  /** The sentence, or sentences, that the answer stands in. */
  readonly sentence: Span | null;
  readonly evidence: Span;
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
  /** In order; together they hold all of the text but what separates them. */
  readonly blocks: readonly TextBlock[];
}

/** A stretch of a document's text that is laid out as one, UTF-16 units. */
export interface TextBlock extends Span {
  readonly kind: 'heading' | 'paragraph' | 'item' | 'quote' | 'code' | 'table';
  /** Of a heading, 1 … 6; of an entry of a list, how deep it is, from 0. */
  readonly level?: number;
  /** Of an entry of a numbered list: its number. */
  readonly ordinal?: number;
  /** Of a table: its cells, row by row. */
  readonly rows?: readonly (readonly Span[])[];
}
