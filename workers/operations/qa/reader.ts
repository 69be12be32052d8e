import type { Span } from '../../../src/contract/code-points.ts';
import type { FoundAnswer } from '../../../src/protocol/document-jobs.ts';
import type { EmbeddingOverride } from '../../engine/network.ts';
import type { TokenizedText } from '../../engine/loading/tokenizer.ts';

/** Where a passage stands in a text. */
export interface PassagePlace {
  /** Index of the document in its job. */
  readonly document: number;
  /** UTF-16 units. */
  readonly start: number;
}

/** A chunk of a document as a reader gets it. */
export interface Passage extends TokenizedText {
  /** Absent in a prompt, which is no text. */
  readonly place?: PassagePlace;
  /** Factors that a prompt document's controls put on its tokens, by position in the passage. */
  readonly factors?: ReadonlyMap<number, number>;
  /** What stands in place of its ids where a prompt document shows pictures, by position in the passage. */
  readonly embeddingOverrides?: readonly EmbeddingOverride[];
}

/** What a reader finds in a passage. */
export interface Found extends Pick<FoundAnswer, 'answer' | 'score'> {
  /** Where the answer stands in the passage, UTF-16 units, if a reader points at it. */
  readonly span?: Span;
}

/** A model that answers one question from passages. */
export interface Reader {
  /** Tokens of a passage that fit beside the question. */
  readonly passageTokens: number;
  /** Which passages, by their tokens, are read at once: each index exactly once. */
  plan(lengths: readonly number[]): readonly (readonly number[])[];
  /** It takes so long over a passage that it reads only those that share the most words with the question. */
  readonly isSelective: boolean;
  /** An answer from each passage, in their order. */
  read(passages: readonly Passage[]): Promise<readonly Found[]>;
}
