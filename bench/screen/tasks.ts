/** Target tokens of every measured explanation. */
export const TARGET_TOKENS = 8;

/** What the page may ask of a bench worker; each task answers with what is named here. */
export interface Tasks {
  /** Wall time of an explanation of `tokens` single-token sections beside full forward passes, in turn. */
  cost: { input: { network: NetworkName; tokens: number; rounds: number }; output: Cost };
  /** Wall time of an explanation with a foil beside one without. */
  contrast: {
    input: { network: NetworkName; tokens: number; foilTokens: number; rounds: number };
    output: ContrastCost;
  };
  /** One embedding on the bare session: tokens and one pass, no router, no messages. */
  bare: { input: { prompt: string }; output: { ms: number } };
  /** WebAssembly memory after one forward pass, or after an explanation, in a worker that did nothing else. */
  memory: { input: { network: NetworkName; tokens: number; what: 'forward' | 'explain' }; output: { bytes: number } };
}

/** The embedded model, or random weights: 8 layers, 256 wide, 16,000 tokens. */
export type NetworkName = 'embedded' | 'random';

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
