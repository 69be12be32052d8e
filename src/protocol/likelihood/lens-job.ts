import type { ControlOptions, PrepareJob } from '../model-job.ts';
import type { JobPrompt } from '../prompt.ts';
import type { ShownToken } from '../target-jobs.ts';

/** What the network would predict behind the last positions of a prompt, if it ended at each of its layers. */
export interface LensJob extends PrepareJob {
  readonly prompt: JobPrompt;
  /** Last positions of the prompt that are looked at, at least 1; a shorter prompt gives as many as it has. */
  readonly positions: number;
  /** Likeliest tokens for each layer, at least 1. */
  readonly alternatives: number;
  /** Text whose first token is rated at each layer; never empty, well-formed; null: none is. */
  readonly target: string | null;
  readonly controls: ControlOptions;
}

/** A token among all tokens of the vocabulary. */
export interface RankedToken extends ShownToken {
  /** Its place when all tokens are sorted by probability, from 1; equals share the first place of them. */
  readonly rank: number;
}

/** What a layer would predict. */
export interface LensLayer {
  /** 0: the word embeddings. */
  readonly layer: number;
  /** The likeliest first. */
  readonly tokens: readonly ShownToken[];
  /** null without a target. */
  readonly target: RankedToken | null;
}

/** What a `LensJob` finds, in the order of the prompt. */
export interface Lensed {
  readonly positions: readonly {
    /** The token at this position, as people read it. */
    readonly token: string;
    /** From 0 to the last layer. */
    readonly layers: readonly LensLayer[];
  }[];
}
