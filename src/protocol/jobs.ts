import type { Explanation, Postprocessing, PromptGranularity, TargetGranularity } from '../contract/explain.ts';
import type { Pooling } from '../contract/embed.ts';
import type { PromptItem, TokenOverlap } from '../contract/prompt.ts';
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

/** Every job a worker can do. Messages are derived from these rows. */
export interface Jobs {
  prepare: { input: PrepareJob; output: Preparation };
  embed: { input: EmbedJob; output: Embedded };
  explain: { input: ExplainJob; output: Explained };
}

/** Name of a kind of job. */
export type JobKind = keyof Jobs;
