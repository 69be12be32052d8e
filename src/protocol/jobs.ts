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
  JobImage,
  JobPrompt,
  Preparation,
  PrepareJob,
  SteeringConcept,
  SteeringConceptJob,
} from './model-job.ts';
import type { CompleteRequest, FinishReason } from '../contract/complete.ts';
import type { Span } from '../contract/code-points.ts';
import type { QaRequest, QaResponse, UnreadPart } from '../contract/qa.ts';
import type { BudgetUse, ExplainMethod, ExplainRequest } from '../contract/explain.ts';

/** Every job of a worker. Inputs are checked as far as possible without a model. Fields of the contract have its names and types. */
export interface Jobs {
  prepare: { input: PrepareJob; output: Preparation };
  /** Frees the loaded models of a folder that was removed. */
  unload: { input: { readonly folder: string }; output: null };
  /** One for each kind of weights in a folder, the default first. */
  inspect: { input: InspectJob; output: readonly [Inspection, ...Inspection[]] };
  /** Pooled hidden states of one prompt. */
  embed: {
    input: JobOf<
      EmbedRequest,
      {
        readonly prompt: JobPrompt;
        /** Negative indices count from the last layer. */
        readonly layers: readonly number[];
        readonly pooling: readonly Pooling[];
      }
    >;
    /** One vector per layer and pooling, in the order of `pooling`, resolved layer indices. */
    output: Pick<EmbedResponse, 'tokens' | 'num_tokens_prompt_total'> & {
      readonly layers: readonly { readonly layer: number; readonly vectors: readonly Float32Array[] }[];
    };
  };
  explain: { input: ExplainJob; output: ExplainOutput };
  /** How likely a text is after a prompt; it is well-formed and not empty. */
  evaluate: {
    input: JobOf<EvaluateRequest>;
    output: {
      /** Natural logarithm of the probability of each token given those before it, `[tokens]`. */
      readonly logProbabilities: Float64Array;
      /** The likeliest token at each position, joined, and whether each is the expected one; null: a server does not tell. */
      readonly likeliest: { readonly completion: string; readonly isGreedy: boolean } | null;
      readonly promptTokens: number;
    };
  };
  /** The model's continuation, and how it rates each token of a target, which is well-formed and not empty; null without one. */
  predict: {
    input: JobOf<PredictRequest>;
    output: Pick<PredictResponse, 'continuation'> & { readonly target: RatedToken[] | null };
  };
  complete: {
    input: CompleteJob;
    output: {
      /** `n` for each prompt, in the order of the prompts. */
      readonly completions: readonly Completion[];
      /** The tokens of each prompt, where the job rates them; else none. */
      readonly ratedPrompts: readonly (readonly CompletedToken[])[];
      /** Of all prompts together, each counted once. */
      readonly promptTokens: number;
      /** Of all candidates together. */
      readonly generatedTokens: number;
    };
  };
  /** The predictions of the network after the last positions of a prompt, in its order, if it ended at each of its layers. */
  lens: { input: JobOf<LensRequest>; output: Pick<LensResponse, 'positions'> };
  /** One vector per prompt, in their order, by a model that was trained for comparing them. */
  semanticEmbed: {
    input: JobOf<
      Omit<BatchSemanticEmbedRequest, 'compress_to_size' | 'instruction'>,
      {
        readonly prompts: readonly JobPrompt[];
        /** Instead of what the model expects before prompts of the representation. */
        readonly instruction?: string | null | undefined;
        /** Dimensions that are kept, and their field in the request; null or left out: all. */
        readonly cut?: { readonly path: string; readonly size: number } | null;
      }
    >;
    output: Pick<SemanticEmbedResponse, 'num_tokens_prompt_total'> & { readonly vectors: readonly Float32Array[] };
  };
  /** How alike each document is to a query: the cosine of their vectors, in the order of the documents. */
  rerank: {
    input: PrepareJob & { readonly query: JobPrompt; readonly documents: readonly JobPrompt[] };
    output: { readonly cosines: readonly number[]; readonly tokens: number };
  };
  /** The tokens of a text, as the vocabulary has them, without special ones. */
  tokenize: {
    input: PrepareJob & { readonly prompt: string };
    output: { readonly tokens: readonly string[]; readonly ids: readonly number[] };
  };
  detokenize: { input: PrepareJob & { readonly ids: readonly number[] }; output: { readonly text: string } };
  steeringConcept: { input: SteeringConceptJob; output: SteeringConcept };
  /** One answer per chunk, best first. */
  qa: { input: QaJob; output: Pick<QaResponse, 'answers'> };
  extractText: {
    input: {
      /** A Docx file, in shared memory where it is large. */
      readonly file: Uint8Array;
      /** Its path in the request, for messages. */
      readonly path: string;
    };
    output: ExtractedText;
  };
}

/** Name of a kind of job. */
export type JobKind = keyof Jobs;

/** Jobs of the documents worker; all others are the inference worker's. */
export type DocumentsKind = 'extractText';

/** The body of a request as a job: checked, on a model and a device. `Own` are the fields that differ, and further ones. */
type JobOf<Body, Own = { readonly prompt: JobPrompt }> = PrepareJob &
  Readonly<Omit<Body, 'hosting' | keyof PrepareJob | keyof Own>> &
  Own;

/** A message of a dialogue: well-formed texts, and pictures without controls, each with its path in the request. */
export interface JobMessage {
  readonly role: string;
  readonly content: readonly (string | JobImage)[];
}

/** A dialogue, which the model answers; `path` is its field in the request. */
interface JobDialogue {
  readonly path: string;
  readonly messages: readonly JobMessage[];
}

/** Continues each of its prompts or dialogues. After an empty prompt the model begins a text of its own. */
export type CompleteJob = JobOf<
  Pick<CompleteRequest, 'maximum_tokens' | 'minimum_tokens' | 'n' | 'log_probs' | 'echo'> & ControlOptions,
  {
    readonly prompts: readonly (JobPrompt | JobDialogue)[];
    /** Rates each token of a prompt, and this many alternatives; null: not at all. */
    readonly promptAlternatives: number | null;
    /** Completions that are written for each prompt, at least `n`. */
    readonly best_of: number;
    /** How each token is chosen; with the first three 0 the likeliest. */
    readonly sampling: {
      /** Divides the scores; 0 counts as 1 where `topK` or `topP` request sampling. */
      readonly temperature: number;
      /** Only this number of the likeliest tokens may be chosen; 0: all. */
      readonly topK: number;
      /** Only the likeliest tokens whose probabilities together reach this may be chosen; 0: all. */
      readonly topP: number;
      /** Completions with the same seed choose the same. */
      readonly seed: number;
    };
    /** Penalties on tokens that are present already. */
    readonly repetition: {
      /** Once for each token that occurs. */
      readonly presence: Penalty;
      /** Times the number of its occurrences. */
      readonly frequency: Penalty;
      /** On a token that would complete a repeated sequence of `sequenceLength` tokens, at least 2. */
      readonly sequence: Penalty;
      readonly sequenceLength: number;
      readonly includesPrompt: boolean;
      readonly includesCompletion: boolean;
      /** Its tokens count as present; '' for none. */
      readonly bias: string;
      /** Tokens of these texts are never penalised. */
      readonly exceptions: readonly string[];
    };
    /** Added to the scores of these ids. */
    readonly logitBias: readonly (readonly [id: number, bias: number])[];
    /** Texts that a completion consists of. */
    readonly inclusion: TextBias | null;
    /** Texts that it must not contain. */
    readonly exclusion: TextBias | null;
    /** None is empty. */
    readonly stop_sequences: readonly string[];
    /** A JSON Schema as text, which completions meet, and its path in the request; null: any text. */
    readonly json: { readonly schema: string; readonly path: string } | null;
  }
>;

/** How strongly a repetition is penalised; 0: not at all. */
interface Penalty {
  readonly strength: number;
  /** true: a score is divided by 1 + strength (multiplied where it is negative); false: the strength is subtracted. */
  readonly isMultiplicative: boolean;
}

interface TextBias {
  /** Not empty. */
  readonly texts: readonly string[];
  /** Only the first token is checked. */
  readonly firstTokenOnly: boolean;
}

interface IdentifiedToken extends PredictedToken {
  readonly id: number;
}

/** A token of a completion. */
export interface CompletedToken extends IdentifiedToken {
  /** NaN for the first token of an echoed prompt, which nothing predicts. Under the model's own scores, before any bias. */
  readonly log_probability: number;
  /** Its place among all tokens by probability, from 1; 0 where the probability is unknown. */
  readonly rank: number;
  /** The likeliest tokens at its position, the likeliest first. */
  readonly alternatives: readonly IdentifiedToken[];
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
  /** Of an entry of a list: its text begins with its number. */
  readonly hasNumber?: boolean;
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
    readonly method: ExplainMethod;
    /** Of methods other than `attention`: prompts whose likelihood may be computed; null: the method's default. */
    readonly max_requests: number | null;
    /** Indices of the prompt items that have sections; null: all. */
    readonly explained_items: readonly number[] | null;
    /** null: the granularity with the number of sections nearest to 30. */
    readonly prompt_granularity: SectionGranularity | null;
  }
>;

/** A part of the prompt or of the target whose influence is measured. */
export interface ExplainedSection extends ItemPart {
  /** Of the prompt item; that of the target, after the last, has an `index`, of the token, and a span. */
  readonly item: number;
}

/** The sections and tokens that the numbers of an explanation belong to. */
export interface ExplainedPlan {
  /** Prompt items first, in order; the target's sections last. */
  readonly sections: readonly ExplainedSection[];
  /** Target tokens as people read them; one, the whole target, where a method other than `attention` explains it as a whole. */
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

/** A finished explanation: cross entropy with a section suppressed − without, in nats. Positive: it supports the token. */
export interface ExplainOutput extends ExplainedPlan {
  /** float64, row-major, `[sections, target tokens and then foil tokens]` */
  readonly influence: Float64Array;
  /** null: every score is exact. */
  readonly estimated: {
    /** Indices of sections. */
    readonly sections: readonly number[];
    readonly margins: Margins;
  } | null;
  /** null: no budget was given. */
  readonly budget: BudgetUse | null;
  /** Prompts whose likelihood was computed; null: the method is `attention`. */
  readonly requests: number | null;
  /** Tokens that a server elsewhere has read and written for it. */
  readonly tokens?: number;
}

/** The results of an explanation since its last progress. */
export interface ExplainPart extends Pick<ExplainOutput, 'influence' | 'estimated'> {
  readonly plan: ExplainedPlan;
  /** Indices of the sections that became known, whose rows `influence` holds; an estimate may later become exact. */
  readonly sections: readonly number[];
}
