/** Names of the inputs and outputs that the rewrite adds to a graph, and that a session is fed and read by. */

/** Begins every added name, so that none collides with an exporter's. */
export const ADDED = 'lightwell/';

/** Name of the original file as external data of a session. */
export const ORIGINAL_FILE = 'lightwell-original.onnx';

/**
 * Inputs of the perturbation: two of float32 `[1|batch, 1, 1|tokens, 1|total]`, a bool scalar that chooses between them, and one that has the first added before the second multiplies.
 */
export const PERTURBATION = {
  bias: `${ADDED}bias`,
  factor: `${ADDED}factor`,
  multiplicative: `${ADDED}multiplicative`,
  hides: `${ADDED}hides`,
} as const;

/** The other inputs and outputs that are added. */
export const TENSORS = {
  /** Input that replaces `inputs_embeds`, float32 `[batch, tokens, width]`. */
  embeddings: `${ADDED}embeddings`,
  /** Input, int64 `[1]`: positions of the KV cache that come before the run's tokens. */
  pastTokens: `${ADDED}past_tokens`,
  /** Input, int64 `[1]`: how many perturbed sequences share one row of ids. */
  sequences: `${ADDED}sequences`,
  /** Input, bool scalar: false for a run without hidden states. */
  needsStates: `${ADDED}needs_states`,
  /** Input, bool scalar: false for a run that predicts nothing. */
  needsLogits: `${ADDED}needs_logits`,
  /** Input, bool scalar: true for a run with `log_probabilities`. */
  needsProbabilities: `${ADDED}needs_probabilities`,
  /** Input, bool scalar: true for a run with `likeliest`. */
  needsLikeliest: `${ADDED}needs_likeliest`,
  /** Input, bool scalar: true for a run whose attention is computed by the operators of the file, with a bias. */
  fusedAttention: `${ADDED}fused_attention`,
  /** Input, bool scalar, beside it: false for a run whose KV cache is cut, or repeated for the batch. */
  wholePast: `${ADDED}whole_past`,
  /** Input, float32 `[1|batch, pools, tokens]`: weights over positions. */
  poolWeights: `${ADDED}pool_weights`,
  /** Input, int64 `[1]`: how many positions at the beginning the maxima exclude. */
  maximaSkip: `${ADDED}maxima_skip`,
  /** Output, float32 `[batch, layers + 1, pools, width]`: weighted sums of hidden states. */
  pooled: `${ADDED}pooled`,
  /** Output, float32 `[batch, layers + 1, width]`: largest value over the positions. */
  maximum: `${ADDED}maximum`,
  /** Output, float32 `[batch, layers + 1, width]`: largest absolute value over the positions. */
  absoluteMaximum: `${ADDED}absolute_maximum`,
  /** Input, int64 `[1]`: how many of the last positions predict. */
  rows: `${ADDED}rows`,
  /** Input, int64 `[rows, choices]`: the tokens expected after those positions. */
  targets: `${ADDED}targets`,
  /** Input, float32 `[states, width]`: hidden states that the head reads instead of the last layer's. */
  givenStates: `${ADDED}given_states`,
  /** Input, bool scalar: true for a run whose head reads given states. */
  readsGiven: `${ADDED}reads_given`,
  /** Input, float32 `[layers, 1|width]`: what is added to the hidden state after each layer, at every position. */
  steering: `${ADDED}steering`,
  /** Output, float32 `[batch, rows, vocabulary]`. */
  logits: `${ADDED}logits`,
  /** Output, float32 `[batch, rows, choices]`: natural logarithms of the expected tokens' probabilities. */
  logProbabilities: `${ADDED}log_probabilities`,
  /** Output, float32 `[batch, tokens, width]`: the looked-up word embeddings. */
  wordEmbeddings: `${ADDED}word_embeddings`,
  /** Output, float32 `[batch, rows, 2]`: the likeliest token, of equals the first, and the natural logarithm of its probability. */
  likeliest: `${ADDED}likeliest`,
  /** Input, bool scalar: true for a run with `attended`. */
  needsAttention: `${ADDED}needs_attention`,
  /** Output, float32 `[batch, layers − 1, tokens, total]`: attention weights of all layers but the last, the greatest of any head. */
  attended: `${ADDED}attended`,
  /** Output, float32 `[batch, 1, rows, total]`: the same of the last layer, at the last positions. */
  attendedLast: `${ADDED}attended_last`,
} as const;

const { logits, logProbabilities, likeliest, attendedLast } = TENSORS;
const PREDICTIONS: ReadonlySet<string> = new Set([logits, logProbabilities, likeliest, attendedLast]);

/** Whether an output is of the last positions only. */
export function isPrediction(output: string): boolean {
  return PREDICTIONS.has(output);
}
