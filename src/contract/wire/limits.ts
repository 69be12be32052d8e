/**
 * Largest factor on the attention paid to a token, and the largest product of several on one. The contract names no limit.
 * A thousand times as much attention leaves next to none for anything else, and with more the float32 arithmetic of
 * `control_log_additive: false` decides between tokens by its rounding errors.
 */
export const MAX_FACTOR = 1000;

/** Prompts of one batch. @source contract facts §1.4 */
export const MAX_PROMPTS = 100;

/** Inputs of `POST /v1/embeddings`. @source OpenAI API reference, "Create embeddings" */
export const MAX_INPUTS = 2048;

/** The only compressed size of an embedding. @source interface.md, Limits */
export const COMPRESSED_SIZE = 128;

/** How token vectors become one. */
export const POOLINGS = ['mean', 'weighted_mean', 'max', 'last_token', 'abs_max'] as const;
