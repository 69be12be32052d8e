import type { LoadedModel } from '../../engine/engine.ts';
import type { TokenizedText } from '../../engine/loading/tokenizer.ts';
import { tokenizeWithin, tooLong } from '../prompt/tokenize.ts';

/** Tokens that must be left for a passage: a question that leaves less room cannot be answered from anything. */
const LEAST_PASSAGE = 32;

/**
 * Tokens of the question, and how many are left beside it for a passage.
 *
 * @param text   the question with whatever the model wants written around it
 * @param taken  tokens of the context that neither of the two may take
 * @throws {FailureError} PROMPT_TOO_LONG
 */
export function questionOf(
  text: string,
  { network, tokenizer }: LoadedModel,
  taken: number,
): { readonly question: TokenizedText; readonly room: number } {
  const limit = network.shape.contextTokens - taken - LEAST_PASSAGE;
  const question = tokenizeWithin(tokenizer, text, { path: 'query', limit });
  if (question.ids.length > limit) throw tooLong('query', `${question.ids.length}`, limit);
  return { question, room: limit + LEAST_PASSAGE - question.ids.length };
}
