/**
 * Largest factor on the attention paid to a token, and the largest product of several on one. The contract names no limit.
 * A thousand times as much attention leaves next to none for anything else, and with more the float32 arithmetic of
 * `control_log_additive: false` decides between tokens by its rounding errors.
 */
export const MAX_FACTOR = 1000;
