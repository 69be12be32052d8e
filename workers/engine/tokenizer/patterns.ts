import { SplitPreTokenizer } from '@huggingface/tokenizers';
import { type JsonPart, partOf, refuseField } from './json-fields.ts';

/** White space as the tokenizers library knows it, which JavaScript's `\s` is not. @source the regular expressions of Rust: UTS #18, annex C */
export const WHITE_SPACE = String.raw`\p{White_Space}`;

/** What a word is made of, for a class of characters, as `\w` in the tokenizers library. @source as above */
export const WORD_CHARACTERS = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200C\u200D`;

/**
 * Compiles a pattern, a text or a regular expression of Oniguruma.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for one that is missing or that JavaScript cannot express
 */
export function patternOf(part: JsonPart): RegExp {
  const pattern = partOf(part, 'pattern');
  const text: unknown = pattern && Reflect.get(pattern.value, 'String');
  if (typeof text === 'string') return new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gu');
  const source: unknown = pattern && Reflect.get(pattern.value, 'Regex');
  if (typeof source !== 'string') return refuseField(`${part.path}pattern`, 'String or Regex', pattern?.value);
  return compiled(source) ?? refuseField(`${part.path}pattern.Regex`, 'a pattern that JavaScript can express', source);
}

function compiled(source: string): RegExp | null {
  try {
    return new SplitPreTokenizer({ type: 'Split', pattern: { Regex: source }, behavior: 'Isolated', invert: true })
      .pattern;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
