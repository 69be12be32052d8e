import type { TokenOverlap } from '../contract/prompt.ts';
import type { ControlOptions, PrepareJob } from './model-job.ts';
import type { ItemPart, JobPrompt } from './prompt.ts';

/** What a text is cut into, from fine to coarse. */
export type Granularity =
  | { readonly type: 'token' | 'word' | 'sentence' | 'paragraph' }
  | { readonly type: 'custom'; /** Never empty. */ readonly delimiter: string };

/** Influence of every prompt section on each token of the target. */
export interface ExplainJob extends PrepareJob {
  readonly prompt: JobPrompt;
  /** Never empty, well-formed. */
  readonly target: string;
  /** Another text that the target is held against, never empty, well-formed; null: none. */
  readonly foil: string | null;
  /** Share of the cost of exact scores that may be spent, above 0; 1: all scores are exact. `auto`: until the greatest are. */
  readonly budget: number | 'auto';
  /** Factor on the attention paid to a section. */
  readonly factor: number;
  readonly overlap: TokenOverlap;
  readonly controls: ControlOptions;
  /** null: the granularity with the number of sections nearest to 30. */
  readonly granularity: Granularity | null;
  /** Whether target tokens are sections too: each bears on those behind it. */
  readonly explainsTarget: boolean;
}

/** A part of the prompt or of the target whose influence is measured. */
export interface ExplainedSection extends ItemPart {
  /**
   * Index of the prompt item; the target counts as the item behind the last, and its sections have both an index, of the
   * token, and a span.
   */
  readonly item: number;
}

/** What the numbers of an explanation are about. */
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
  /** Whether that was measured for the model. Else the errors of the explanation's own exact scores tell it, which is wider. */
  readonly isCalibrated: boolean;
  /** Of sums over the target's tokens, `[estimates]` */
  readonly whole: Float64Array;
  /** `[estimates, target tokens]` */
  readonly tokens: Float64Array;
}

/** Scores that are estimates. */
export interface Estimated {
  /** Indices of sections. */
  readonly sections: readonly number[];
  readonly margins: Margins;
}

/** Why every score is exact although less was asked for: estimates would save nothing for the prompt, or the model has none. */
export type ExactBecause = 'prompt' | 'model';

/** What became of a budget. */
export interface BudgetUse {
  /** Positions that were computed, over those of exact scores. */
  readonly spent: number;
  /** null: the budget was kept. */
  readonly exactBecause: ExactBecause | null;
}

/** A finished explanation: cross entropy with a section suppressed − without, in nats. Positive: it supports the token. */
export interface Explained extends ExplainedPlan {
  /** float64, row-major, `[sections, target tokens and then foil tokens]` */
  readonly influence: Float64Array;
  /** null: every score is exact. */
  readonly estimated: Estimated | null;
  /** null: no budget was given. */
  readonly budget: BudgetUse | null;
}

/** What an explanation has found since its last progress. */
export interface ExplainedPart {
  readonly plan: ExplainedPlan;
  /** Indices of the sections that became known; one that was told as an estimate may become exact. */
  readonly sections: readonly number[];
  /** Their rows, float64, `[sections of this part, target tokens and then foil tokens]` */
  readonly influence: Float64Array;
  /** Those of this part that are estimates; null: none. */
  readonly estimated: Estimated | null;
}

/** How likely a text is behind a prompt. */
export interface EvaluateJob extends PrepareJob {
  readonly prompt: JobPrompt;
  /** Never empty, well-formed. */
  readonly expected: string;
  readonly controls: ControlOptions;
}

/** What the model makes of the expected tokens. */
export interface Evaluated {
  /** Natural logarithm of the probability of each token given those before it, `[tokens]`. */
  readonly logProbabilities: Float64Array;
  /** Whether the likeliest token is the expected one at every position. */
  readonly isGreedy: boolean;
  /** The likeliest token at each position, joined. */
  readonly completion: string;
}

/** What the model says behind a prompt, and how it rates a target there. */
export interface PredictJob extends PrepareJob {
  readonly prompt: JobPrompt;
  /** Never empty, well-formed; null: nothing is rated. */
  readonly target: string | null;
  /** Likeliest tokens for each target position, at least 1. */
  readonly alternatives: number;
  /** Tokens of the continuation at most. */
  readonly maximumTokens: number;
  readonly controls: ControlOptions;
}

/** A token as people read it. */
export interface ShownToken {
  readonly token: string;
  /** Natural logarithm of its probability given all before it. */
  readonly logProbability: number;
}

/** What a `PredictJob` finds. */
export interface Predicted {
  readonly continuation: { readonly text: string; readonly tokens: readonly ShownToken[] };
  /** One for each target token, the likeliest alternative first; null without a target. */
  readonly target: readonly (ShownToken & { readonly alternatives: readonly ShownToken[] })[] | null;
}
