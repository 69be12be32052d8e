/**
 * Output of an exported graph, uint8 `[32]`: the SHA-256 of the model file it was made from. It is a constant of the graph,
 * so every server of the protocol returns it, and no extension is needed.
 */
export const DIGEST = 'lightwell/digest';

/** Length of `DIGEST`. */
export const DIGEST_BYTES = 32;
