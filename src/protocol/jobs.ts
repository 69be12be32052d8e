import type {
  BatchSemanticEmbedRequest,
  EmbedRequest,
  EmbedResponse,
  Pooling,
  SemanticEmbedResponse,
} from '../contract/embed.ts';
import type {
  EvaluateRequest,
  LensRequest,
  LensResponse,
  PredictedToken,
  PredictRequest,
  PredictResponse,
  RatedToken,
} from '../contract/likelihood.ts';
import type {
  ControlOptions,
  Inspection,
  InspectJob,
  ItemPart,
  JobOf,
  JobPrompt,
  Preparation,
  PrepareJob,
} from './model-job.ts';
import type { ChatMessage, CompleteRequest, FinishReason } from '../contract/complete.ts';
import type { Span } from '../contract/code-points.ts';
import type { QaFound, QaRequest, QaResponse, UnreadPart } from '../contract/qa.ts';
import type { BudgetUse, ExplainRequest } from '../contract/explain.ts';

/** Every job of a worker. Inputs are checked as far as possible without a model. Fields of the contract have its names and types. */
export interface Jobs {
  prepare: { input: PrepareJob; output: Preparation };
  /** Frees the loaded models of a folder that was removed. */
  unload: { input: { readonly folder: string }; output: null };
  inspect: { input: InspectJob; output: Inspection };
  embed: { input: EmbedJob; output: EmbedOutput };
  explain: { input: ExplainJob; output: ExplainOutput };
  evaluate: { input: EvaluateJob; output: EvaluateOutput };
  predict: { input: PredictJob; output: PredictOutput };
  complete: { input: CompleteJob; output: CompleteOutput };
  lens: { input: LensJob; output: LensOutput };
  semanticEmbed: { input: SemanticEmbedJob; output: SemanticEmbedOutput };
  qa: { input: QaJob; output: QaOutput };
  extractText: { input: ExtractTextJob; output: ExtractedText };
}

/** Name of a kind of job. */
export type JobKind = keyof Jobs;

/** Jobs of the documents worker; all others are the inference worker's. */
export type DocumentsKind = 'extractText';

/** Pooled hidden states of one prompt. */
export type EmbedJob = JobOf<
  EmbedRequest,
  {
    readonly prompt: JobPrompt;
    /** Negative indices count from the last layer. */
    readonly layers: readonly number[];
    readonly pooling: readonly Pooling[];
  }
>;

/** One vector per layer and pooling, in the order of `pooling`, resolved layer indices. */
export interface EmbedOutput extends Pick<EmbedResponse, 'tokens' | 'num_tokens_prompt_total'> {
  readonly layers: readonly { readonly layer: number; readonly vectors: readonly Float32Array[] }[];
}

/** One vector per prompt, by a model that was trained for comparing them. */
export type SemanticEmbedJob = JobOf<BatchSemanticEmbedRequest, { readonly prompts: readonly JobPrompt[] }>;

/** In the order of the prompts. */
export interface SemanticEmbedOutput extends Pick<SemanticEmbedResponse, 'num_tokens_prompt_total'> {
  readonly vectors: readonly Float32Array[];
}

/** How likely a text is after a prompt; it is well-formed and not empty. */
export type EvaluateJob = JobOf<EvaluateRequest>;

/** How the model rates the expected tokens. */
export interface EvaluateOutput {
  /** Natural logarithm of the probability of each token given those before it, `[tokens]`. */
  readonly logProbabilities: Float64Array;
  /** Whether the likeliest token is the expected one at every position. */
  readonly isGreedy: boolean;
  /** The likeliest token at each position, joined. */
  readonly completion: string;
}

/** The model's continuation, and how it rates a target, which is well-formed and not empty. */
export type PredictJob = JobOf<PredictRequest>;

/** The result of a `PredictJob`. */
export interface PredictOutput extends Pick<PredictResponse, 'continuation'> {
  /** One for each target token; null without a target. */
  readonly target: RatedToken[] | null;
}

/** The predictions of the network after the last positions of a prompt, if it ended at each of its layers. */
export type LensJob = JobOf<LensRequest>;

/** The result of a `LensJob`, in the order of the prompt. */
export type LensOutput = Pick<LensResponse, 'positions'>;

/** Penalties on tokens that are present already. */
export interface RepetitionOptions extends Record<'presence' | 'frequency' | 'sequence', Penalty> {
  readonly sequenceLength: number;
  readonly includesPrompt: boolean;
  readonly includesCompletion: boolean;
  /** Its tokens count as present; '' for none. */
  readonly bias: string;
  /** Tokens of these texts are never penalised. */
  readonly exceptions: readonly string[];
}

interface Penalty {
  readonly strength: number;
  readonly isMultiplicative: boolean;
}

/** Texts that a completion consists of, or must not contain. */
export interface TextBiasOptions {
  /** Not empty. */
  readonly texts: readonly string[];
  readonly firstTokenOnly: boolean;
}

/** Continues a prompt or a dialogue. After an empty prompt the model begins a text of its own. */
export type CompleteJob = JobOf<
  Pick<CompleteRequest, 'maximum_tokens' | 'minimum_tokens' | 'n' | 'log_probs' | 'echo'> & ControlOptions,
  {
    readonly prompt: JobPrompt;
    /** Instead of the prompt: a well-formed dialogue, which the model answers. */
    readonly messages?: readonly ChatMessage[];
    /** Completions that are written, at least `n`. */
    readonly best_of: number;
    /** How each token is chosen, all 0: the likeliest. Completions with the same seed choose the same. */
    readonly sampling: Readonly<Record<'temperature' | 'topK' | 'topP' | 'seed', number>>;
    readonly repetition: RepetitionOptions;
    /** Added to the scores of these ids. */
    readonly logitBias: readonly (readonly [id: number, bias: number])[];
    readonly inclusion: TextBiasOptions | null;
    readonly exclusion: TextBiasOptions | null;
    /** None is empty. */
    readonly stop_sequences: readonly string[];
  }
>;

/** A token of a completion. */
export interface CompletedToken extends PredictedToken {
  /** NaN for the first token of an echoed prompt, which nothing predicts. Under the model's own scores, before any bias. */
  readonly log_probability: number;
  /** The likeliest tokens at its position, the likeliest first. */
  readonly alternatives: readonly PredictedToken[];
}

/** One completion. */
export interface Completion {
  /** Up to a stop sequence, which is not part of it. */
  readonly text: string;
  /** All that was written. */
  readonly rawText: string;
  /** Those of an echoed prompt, then those that were written. */
  readonly tokens: readonly CompletedToken[];
  readonly finish: FinishReason;
}

/** The result of a `CompleteJob`. */
export interface CompleteOutput {
  readonly completions: readonly Completion[];
  /** Of the prompt, once. */
  readonly promptTokens: number;
  /** Of all candidates together. */
  readonly generatedTokens: number;
}

/** New text since the last progress. */
export interface CompletePart extends Pick<Completion, 'text' | 'tokens'> {
  readonly index: number;
}

/** A document of a `QaJob`; `path` is its place in the request, such as `documents[2].text`. */
export type ReadableDocument =
  | { readonly type: 'text'; readonly path: string; readonly text: string; readonly unread?: readonly UnreadPart[] }
  | { readonly type: 'prompt'; readonly prompt: JobPrompt };

/** Answers a question, well-formed and never empty, from documents. */
export type QaJob = JobOf<QaRequest, { readonly documents: readonly ReadableDocument[] }>;

/** One answer per chunk, best first. */
export type QaOutput = Pick<QaResponse, 'answers'>;

/** The position of an answer: the index in the documents of the job, and spans in UTF-16 units. */
export type PlacedAnswer = QaFound;

/** Text of a Docx file. */
export interface ExtractTextJob {
  /** In shared memory where it is large. */
  readonly file: Uint8Array;
  /** Its path in the request, for messages. */
  readonly path: string;
}

/** The text of a document, its paragraphs separated by blank lines. */
export interface ExtractedText {
  readonly text: string;
  /** In order; together all of the text but the separators. */
  readonly blocks: readonly TextBlock[];
  readonly unread: readonly UnreadPart[];
}

/** A part of a document's text that is laid out as one, UTF-16 units. */
export interface TextBlock extends Span {
  readonly kind: 'heading' | 'paragraph' | 'item' | 'quote' | 'code' | 'table';
  /** Of a heading, 1 … 6; of an entry of a list, how deep it is, from 0. */
  readonly level?: number;
  /** Of an entry of a numbered list: its number. */
  readonly ordinal?: number;
  /** Of a table: its cells, row by row. */
  readonly rows?: readonly (readonly Span[])[];
}

/** The parts that a text is divided into, from fine to coarse. */
export type SectionGranularity =
  | { readonly type: 'token' | 'word' | 'sentence' | 'paragraph' }
  | { readonly type: 'custom'; /** Never empty. */ readonly delimiter: string };

/** Influence of every prompt section on each token of the target, and of the foil. Both are well-formed and never empty. */
export type ExplainJob = JobOf<
  ExplainRequest,
  {
    readonly prompt: JobPrompt;
    /** Share of the cost of exact scores that may be spent, above 0; 1: all scores are exact. `auto`: until the greatest are. */
    readonly budget: number | 'auto';
    /** null: the granularity with the number of sections nearest to 30. */
    readonly prompt_granularity: SectionGranularity | null;
  }
>;

/** A part of the prompt or of the target whose influence is measured. */
export interface ExplainedSection extends ItemPart {
  /**
   * Index of the prompt item; the target counts as the item after the last, and its sections have both an index, of the
   * token, and a span.
   */
  readonly item: number;
}

/** The sections and tokens that the numbers of an explanation belong to. */
export interface ExplainedPlan {
  /** Prompt items first, in order; the target's sections last. */
  readonly sections: readonly ExplainedSection[];
  /** Target tokens as people read them. */
  readonly targetTokens: readonly string[];
  /** Those of the foil, empty without one. */
  readonly foilTokens: readonly string[];
}

/** How far estimated scores may be off, nats: nine in ten are not further from the exact ones. */
export interface Margins {
  /** Whether that was measured for the model. Else it follows from the explanation's own exact scores, and is wider. */
  readonly isCalibrated: boolean;
  /** Of sums over the target's tokens, `[estimates]` */
  readonly whole: Float64Array;
  /** `[estimates, target tokens]` */
  readonly tokens: Float64Array;
}

/** Scores that are estimates. */
export interface EstimatedScores {
  /** Indices of sections. */
  readonly sections: readonly number[];
  readonly margins: Margins;
}

/** A finished explanation: cross entropy with a section suppressed − without, in nats. Positive: it supports the token. */
export interface ExplainOutput extends ExplainedPlan {
  /** float64, row-major, `[sections, target tokens and then foil tokens]` */
  readonly influence: Float64Array;
  /** null: every score is exact. */
  readonly estimated: EstimatedScores | null;
  /** null: no budget was given. */
  readonly budget: BudgetUse | null;
}

/** The results of an explanation since its last progress. */
export interface ExplainPart extends Pick<ExplainOutput, 'influence' | 'estimated'> {
  readonly plan: ExplainedPlan;
  /** Indices of the sections that became known, whose rows `influence` holds; an estimate may later become exact. */
  readonly sections: readonly number[];
}
