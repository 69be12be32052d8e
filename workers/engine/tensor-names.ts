/** Names of the inputs and outputs that the rewrite adds to a graph, and that a session is fed and read by. */

/** Begins every added name, so that none collides with an exporter's. */
export const ADDED = 'lightwell/';

/** Name of the original file as external data of a session. */
export const ORIGINAL_FILE = 'lightwell-original.onnx';

/** Input that replaces `inputs_embeds`, float32 `[batch, tokens, width]`. */
export const EMBEDDINGS = `${ADDED}embeddings`;

/**
 * Inputs of the perturbation: two of float32 `[1|batch, 1, 1|tokens, 1|total]`, a bool scalar that chooses between them, and one that has the first added before the second multiplies.
 */
export const PERTURBATION = {
  bias: `${ADDED}bias`,
  factor: `${ADDED}factor`,
  multiplicative: `${ADDED}multiplicative`,
  hides: `${ADDED}hides`,
} as const;

/** Input, int64 `[1]`: positions of the KV cache that come before the run's tokens. */
export const PAST_TOKENS = `${ADDED}past_tokens`;

/** Input, int64 `[1]`: how many perturbed sequences share one row of ids. */
export const SEQUENCES = `${ADDED}sequences`;

/** Input, bool scalar: false for a run without hidden states. */
export const NEEDS_STATES = `${ADDED}needs_states`;

/** Input, bool scalar: false for a run that predicts nothing. */
export const NEEDS_LOGITS = `${ADDED}needs_logits`;

/** Input, float32 `[1|batch, pools, tokens]`: weights over positions. */
export const POOL_WEIGHTS = `${ADDED}pool_weights`;

/** Input, int64 `[1]`: how many positions at the beginning the maxima exclude. */
export const MAXIMA_SKIP = `${ADDED}maxima_skip`;

/** Output, float32 `[batch, layers + 1, pools, width]`: weighted sums of hidden states. */
export const POOLED = `${ADDED}pooled`;

/** Output, float32 `[batch, layers + 1, width]`: largest value over the positions. */
export const MAXIMUM = `${ADDED}maximum`;

/** Output, float32 `[batch, layers + 1, width]`: largest absolute value over the positions. */
export const ABSOLUTE_MAXIMUM = `${ADDED}absolute_maximum`;

/** Input, int64 `[1]`: how many of the last positions predict. */
export const ROWS = `${ADDED}rows`;

/** Input, int64 `[rows, choices]`: the tokens expected after those positions. */
export const TARGETS = `${ADDED}targets`;

/** Input, float32 `[states, width]`: hidden states that the head reads instead of the last layer's. */
export const GIVEN_STATES = `${ADDED}given_states`;

/** Input, bool scalar: true for a run whose head reads given states. */
export const READS_GIVEN = `${ADDED}reads_given`;

/** Output, float32 `[batch, rows, vocabulary]`. */
export const LOGITS = `${ADDED}logits`;

/** Output, float32 `[batch, rows, choices]`: natural logarithms of the expected tokens' probabilities. */
export const LOG_PROBABILITIES = `${ADDED}log_probabilities`;

/** Output, float32 `[batch, tokens, width]`: the looked-up word embeddings. */
export const WORD_EMBEDDINGS = `${ADDED}word_embeddings`;

/** Input, bool scalar: true for a run with `ATTENDED`. */
export const NEEDS_ATTENTION = `${ADDED}needs_attention`;

/** Output, float32 `[batch, layers − 1, tokens, total]`: attention weights of all layers but the last, the greatest of any head. */
export const ATTENDED = `${ADDED}attended`;

/** Output, float32 `[batch, 1, rows, total]`: the same of the last layer, at the last positions. */
export const ATTENDED_LAST = `${ADDED}attended_last`;

/** Whether an output is of the last positions only. */
export function isPrediction(output: string): boolean {
  return output === LOGITS || output === LOG_PROBABILITIES || output === ATTENDED_LAST;
}
