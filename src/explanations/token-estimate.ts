/** Tokens of a picture; contract: tokens per image. */
export const PICTURE_TOKENS = 144;

/**
 * Tokens of a text, and of the picture before it. English words have about four letters for each token; digits and signs are
 * tokens of their own, and so is each byte of other scripts. With the embedded tokeniser this is within a fifth for English, code,
 * numbers, emoji and five scripts; other languages in Latin letters have up to half more.
 */
export function tokenEstimate(text: string, hasPicture: boolean): number {
  const words = text.match(/[a-z\s]+/gi)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  const rest = new TextEncoder().encode(text).length - words;
  return Math.max(1, Math.round(words / 4 + rest)) + (hasPicture ? PICTURE_TOKENS : 0);
}
