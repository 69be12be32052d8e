import { FailureError } from '../../../src/contract/failure.ts';
import type { TokenizedText, Tokenizer } from '../../engine/loading/tokenizer.ts';

/**
 * Tokens of a text; one that cannot fit is refused before time is spent on it.
 *
 * @throws {FailureError} PROMPT_TOO_LONG
 */
export function tokenizeWithin(
  tokenizer: Tokenizer,
  text: string,
  { path, limit }: { readonly path: string; readonly limit: number },
): TokenizedText {
  const least = Math.ceil(text.length / tokenizer.longestPiece);
  if (least > limit) throw tooLong(path, `at least ${least}`, limit);
  return tokenizer.tokenize(text);
}

/** The one way to say that something does not fit the context. */
export function tooLong(path: string, got: string, limit: number): FailureError {
  return new FailureError('PROMPT_TOO_LONG', `${path}: expected at most ${limit} tokens, got ${got}`);
}
