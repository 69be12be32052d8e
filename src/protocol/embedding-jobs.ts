import type { Pooling } from '../contract/embed.ts';
import type { Representation } from '../contract/semantic-embed.ts';
import type { ControlOptions, PrepareJob } from './model-job.ts';
import type { JobPrompt } from './prompt.ts';

/** Pooled hidden states of one prompt. */
export interface EmbedJob extends PrepareJob {
  readonly prompt: JobPrompt;
  /** Negative indices count from the last layer. */
  readonly layers: readonly number[];
  readonly poolings: readonly Pooling[];
  readonly controls: ControlOptions;
  readonly normalize: boolean;
  readonly wantsTokens: boolean;
}

/** One vector per layer and pooling, in the order of `poolings`, resolved layer indices. */
export interface Embedded {
  readonly layers: readonly { readonly layer: number; readonly vectors: readonly Float32Array[] }[];
  readonly tokens: readonly string[] | null;
  readonly tokenCount: number;
}

/** One vector per prompt, by a model that was trained for comparing them. */
export interface SemanticEmbedJob extends PrepareJob {
  readonly prompts: readonly JobPrompt[];
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
