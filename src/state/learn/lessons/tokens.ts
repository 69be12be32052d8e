import type { Answer, CallOptions } from '../../../client/client.ts';
import type { PredictResponse } from '../../../contract/likelihood/predict.ts';
import { targetWords } from '../../explain/text/target-words.ts';
import type { LearnSource } from './asked.ts';

/** Tokens that the model writes behind the text. */
const WRITTEN = 6;

/** A word and the tokens that it consists of, as the service shows them. */
export interface WordTokens {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** How the model reads a text, and what it would write next. */
export interface TokensFound {
  readonly words: readonly WordTokens[];
  readonly tokenCount: number;
  /** The likeliest next tokens, one after the other. */
  readonly written: PredictResponse['continuation']['tokens'];
}

/** Asks for the tokens of a text, and for those that the model would write behind it. */
export async function askTokens(
  source: LearnSource,
  { text }: { readonly text: string },
  { signal }: CallOptions,
): Promise<Answer<TokensFound>> {
  const call = { ...(signal && { signal }) };
  const { model } = source;
  const [read, written] = await Promise.all([
    source.client.embed({ model, prompt: text, layers: [0], tokens: true }, call),
    source.client.predict({ model, prompt: text, maximum_tokens: WRITTEN }, call),
  ]);
  if (!read.ok) return read;
  if (!written.ok) return written;
  const tokens = read.value.tokens ?? [];
  const words = targetWords(tokens, text).map((word) => ({
    text: word.text,
    tokens: tokens.slice(word.first, word.first + word.count),
  }));
  return { ok: true, value: { words, tokenCount: tokens.length, written: written.value.continuation.tokens } };
}

/** Words with a letter or digit; not spaces and marks. */
export function realWords(words: readonly WordTokens[]): WordTokens[] {
  return words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** The word with the most tokens, the first of several; null where none has more than one. */
export function mostSplit(words: readonly WordTokens[]): WordTokens | null {
  let most: WordTokens | null = null;
  for (const word of realWords(words)) if (word.tokens.length > (most?.tokens.length ?? 1)) most = word;
  return most;
}
