import type { Explanation, Postprocessing, PromptGranularity, TargetGranularity } from '../contract/explain.ts';
import type { Pooling } from '../contract/embed.ts';
import type { Evaluation } from '../contract/evaluate.ts';
import type { PromptItem, TokenOverlap } from '../contract/prompt.ts';
import type { QaAnswer } from '../contract/qa.ts';
import type { Representation } from '../contract/semantic-embed.ts';
import type { Model } from '../models/model.ts';

/** Which backend to use; absent: the measured choice. */
export type BackendKind = 'webgpu' | 'wasm';

/** How attention controls are applied. */
export interface ControlOptions {
  /** Cosine similarity from which a control spreads to other tokens; null: explicit tokens only. */
  readonly contextualThreshold: number | null;
  /** true: ln(factor) is added to the scores; false: (score − row minimum) × factor. */
  readonly logAdditive: boolean;
}

/** Load a model, or find it loaded. */
export interface PrepareJob {
  readonly model: Model;
  readonly backend?: BackendKind;
}

/** What was loaded, for people. */
export interface Preparation {
  readonly backend: BackendKind;
  readonly threads: number;
  readonly reason: string;
}

/** Pooled hidden states of one prompt. */
export interface EmbedJob extends PrepareJob {
  readonly prompt: readonly PromptItem[];
  /** Negative indices count from the last layer. */
  readonly layers: readonly number[];
  readonly pooling: readonly Pooling[];
  readonly controls: ControlOptions;
  readonly normalize: boolean;
  readonly wantTokens: boolean;
}

/** One vector per layer and pooling, in the order of `poolings`, resolved layer indices. */
export interface Embedded {
  readonly layers: readonly { readonly layer: number; readonly vectors: readonly Float32Array[] }[];
  readonly tokens: readonly string[] | null;
  readonly tokenCount: number;
}

/** Influence of every prompt section on the target. */
export interface ExplainJob extends PrepareJob {
  readonly prompt: readonly PromptItem[];
  readonly target: string;
  readonly controlFactor: number;
  readonly controls: ControlOptions;
  readonly overlap: TokenOverlap;
  readonly postprocessing: Postprocessing;
  readonly normalize: boolean;
  readonly promptGranularity: PromptGranularity | null;
  readonly targetGranularity: TargetGranularity;
}

/** Explanations as they stand on the wire. */
export interface Explained {
  readonly explanations: readonly Explanation[];
}

/** How likely a text is behind a prompt. */
export interface EvaluateJob extends PrepareJob {
  readonly prompt: readonly PromptItem[];
  readonly expected: string;
  readonly controls: ControlOptions;
}

/** As it stands on the wire. */
export interface Evaluated {
  readonly evaluation: Evaluation;
}

/** One vector per prompt, by a model that was trained for comparing them. */
export interface SemanticEmbedJob extends PrepareJob {
  readonly prompts: readonly (readonly PromptItem[])[];
  /** What the request calls them, for messages: the entries of `prompts` are numbered. */
  readonly field: 'prompt' | 'prompts';
  readonly representation: Representation;
  /** Keep only so many leading dimensions; null: all. */
  readonly compressToSize: number | null;
  readonly controls: ControlOptions;
  readonly normalize: boolean;
}

/** In the order of the prompts. */
export interface SemanticEmbedded {
  readonly vectors: readonly Float32Array[];
  /** Tokens of all prompts; what the model itself puts in front is not counted. */
  readonly tokenCount: number;
}

/** A document as the reader gets it. */
export type ReadableDocument =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'prompt'; readonly items: readonly PromptItem[] };

/** Answer a question from documents. */
export interface QaJob extends PrepareJob {
  readonly query: string;
  readonly documents: readonly ReadableDocument[];
  readonly maxAnswers: number;
}

/** One answer per chunk, best first. */
export interface QaAnswered {
  readonly answers: readonly QaAnswer[];
}

/** Text of a Docx file. */
export interface ExtractTextJob {
  /** The file in base64, as it came: it is decoded in the worker, because a large one would hold up the page. */
  readonly docx: string;
  /** Where it stands in the request, for messages. */
  readonly path: string;
}

/** The text of a document, its paragraphs separated by blank lines. */
export interface ExtractedText {
  readonly text: string;
}

/** Every job a worker can do. Messages are derived from these rows. */
export interface Jobs {
  prepare: { input: PrepareJob; output: Preparation };
  embed: { input: EmbedJob; output: Embedded };
  explain: { input: ExplainJob; output: Explained };
  evaluate: { input: EvaluateJob; output: Evaluated };
  semanticEmbed: { input: SemanticEmbedJob; output: SemanticEmbedded };
  qa: { input: QaJob; output: QaAnswered };
  extractText: { input: ExtractTextJob; output: ExtractedText };
}

/** Name of a kind of job. */
export type JobKind = keyof Jobs;

/** Jobs of the documents worker; all others are the inference worker's. */
export type DocumentsKind = 'extractText';
