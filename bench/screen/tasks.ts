/** Target tokens of every measured explanation. */
export const TARGET_TOKENS = 8;

/** Of what is explained within a budget, where lengths are compared. */
export const BUDGET = 0.15;

/** What the page may ask of a bench worker; each task answers with what is named here. */
export interface Tasks {
  /** Wall time of an explanation of `tokens` single-token sections beside full forward passes, in turn. */
  cost: { input: { network: NetworkName; tokens: number; rounds: number }; output: Cost };
  /** Wall time of an explanation with a foil beside one without. */
  contrast: {
    input: { network: NetworkName; tokens: number; foilTokens: number; rounds: number };
    output: ContrastCost;
  };
  /** Wall time of steered work beside the same without steering. */
  steering: { input: SteeringTask; output: SteeringCost };
  /** One embedding on the bare session: tokens and one pass, no router, no messages. */
  bare: { input: { prompt: string }; output: { ms: number } };
  /** WebAssembly memory after one forward pass, or after an explanation, in a worker that did nothing else. */
  memory: { input: MemoryTask; output: { bytes: number } };
  /** Passes, kernels and readbacks of each task of a network on WebGPU, and times on a card. */
  gpu: { input: { network: NetworkName }; output: readonly GpuRow[] };
  /** Wall time and computed positions of explanations of one length: exact and within a budget, beside forward passes. */
  length: { input: { network: NetworkName; tokens: number; sectionTokens: number }; output: LengthCost };
}

/** A pass, an explanation of each token, or a text of 64 tokens, after a prompt of `tokens`. */
interface SteeringTask {
  readonly network: NetworkName;
  readonly tokens: number;
  readonly work: 'pass' | 'explanation' | 'text';
  readonly rounds: number;
}

/** Each round without steering and with it, in milliseconds. */
interface SteeringCost {
  readonly rounds: readonly { readonly plainMs: number; readonly steeredMs: number }[];
}

/** What is run in a worker that did nothing else. */
export interface MemoryTask {
  readonly network: NetworkName;
  readonly tokens: number;
  readonly what: 'forward' | 'explain';
  readonly sectionTokens: number;
  /** Of an explanation: the share of the exact cost. */
  readonly budget: number;
  /** Of an explanation, after which it is ended; the first of exact scores are the longest. */
  readonly passes: number;
}

/** One round of each, in milliseconds and positions. */
export interface LengthCost {
  readonly forwardMs: number;
  readonly exact: Explained;
  readonly within: Explained;
}

interface Explained {
  readonly ms: number;
  readonly positions: number;
  readonly sections: number;
}

/**
 * A model that ships, or random weights: 8 layers, 256 wide, 16,000 tokens; or in the shape of SmolLM2-135M or Qwen3-0.6B, see
 * `bench/models.ts`.
 */
export type NetworkName =
  | 'embedded'
  | 'embedder'
  | 'reader'
  | 'random'
  | '135M'
  | 'random fp32'
  | 'random q4f16'
  | '135M fp32'
  | '135M fp16'
  | '135M q4f16'
  | '600M q4f16';

/** What a task of a network costs on a GPU. */
export type GpuRow = { readonly network: string; readonly task: string } & Readonly<Record<string, string | number>>;

/** Each round's mean forward pass and its explanation, in milliseconds. */
export interface Cost {
  readonly rounds: readonly { readonly forwardMs: number; readonly explainMs: number }[];
}

/** Each round's explanation of one target, and of a target and a foil, in milliseconds. */
export interface ContrastCost {
  readonly rounds: readonly { readonly oneMs: number; readonly bothMs: number }[];
}

export type TaskKind = keyof Tasks;
export type TaskMessage = { [K in TaskKind]: { kind: K; input: Tasks[K]['input'] } }[TaskKind];
