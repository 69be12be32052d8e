import type { ControlOptions, PrepareJob } from '../model-job.ts';
import type { JobPrompt } from '../prompt.ts';
import type { ShownToken } from '../target-jobs.ts';

/** How each token is chosen; all 0: the likeliest. */
export interface ChoiceOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  /** Completions with the same seed choose the same. */
  readonly seed: number;
}

/** A penalty on what is there already. */
export interface PenaltyOptions {
  readonly strength: number;
  readonly isMultiplicative: boolean;
}

/** What counts as being there already, and what it costs. */
export interface RepetitionOptions {
  readonly presence: PenaltyOptions;
  readonly frequency: PenaltyOptions;
  readonly sequence: PenaltyOptions;
  readonly sequenceLength: number;
  readonly includesPrompt: boolean;
  readonly includesCompletion: boolean;
  /** Its tokens count as being there; '' for none. */
  readonly bias: string;
  /** Tokens of these texts are never penalised. */
  readonly exceptions: readonly string[];
}

/** Texts that a completion is made of, or that it must not contain. */
export interface TextBiasOptions {
  /** Not empty. */
  readonly texts: readonly string[];
  readonly firstTokenOnly: boolean;
}

/** What somebody says in a dialogue; well-formed. */
export interface DialogueMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Continues a prompt, or a dialogue. */
export interface CompleteJob extends PrepareJob {
  /** Without items or with empty ones: the model begins a text of its own. */
  readonly prompt: JobPrompt;
  /** In place of the prompt: a dialogue, which the model answers. */
  readonly messages?: readonly DialogueMessage[];
  /** Of each completion at most; null: as many as the context holds. */
  readonly maximumTokens: number | null;
  /** The text does not end before. */
  readonly minimumTokens: number;
  /** Completions that are written, and how many of them are returned: the likeliest per token, in the order of writing. */
  readonly candidates: number;
  readonly returned: number;
  readonly choice: ChoiceOptions;
  readonly repetition: RepetitionOptions;
  /** Added to the scores of these ids. */
  readonly logitBias: readonly (readonly [id: number, bias: number])[];
  readonly inclusion: TextBiasOptions | null;
  readonly exclusion: TextBiasOptions | null;
  /** None is empty. */
  readonly stopSequences: readonly string[];
  /** Likeliest tokens that are listed beside each; null: no log-probabilities. */
  readonly logProbabilities: number | null;
  /** Whether each completion begins with the prompt. */
  readonly echo: boolean;
  readonly controls: ControlOptions;
}

/** Why a completion ended. */
export type Finish = 'maximum_tokens' | 'end_of_text' | 'stop_sequence_reached';

/** A token of a completion. */
export interface CompletedToken extends ShownToken {
  /** NaN for the first token of an echoed prompt, which nothing predicts. Under the model's own scores, before any bias. */
  readonly logProbability: number;
  /** Likeliest tokens in its place, the likeliest first. */
  readonly alternatives: readonly ShownToken[];
}

/** One completion. */
export interface Completion {
  /** Up to a stop sequence, which is not part of it. */
  readonly text: string;
  /** All that was written. */
  readonly rawText: string;
  /** Those of an echoed prompt, then those that were written. */
  readonly tokens: readonly CompletedToken[];
  readonly finish: Finish;
}

/** What a `CompleteJob` writes. */
export interface Completed {
  readonly completions: readonly Completion[];
  /** Of the prompt, once. */
  readonly promptTokens: number;
  /** Of all candidates together. */
  readonly generatedTokens: number;
}

/** Text that is new since the last progress; all parts of a completion together are its text. */
export interface CompletedPart {
  readonly index: number;
  readonly text: string;
  readonly tokens: readonly CompletedToken[];
}
