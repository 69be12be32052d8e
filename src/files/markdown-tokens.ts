import { lexer, type Token } from 'marked';

/**
 * Deeply nested quotes and lists, a deep indentation, or a long run of marks for emphasis. The parser recurses into each
 * and would exhaust the stack, or take seconds.
 */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d+[.)][ \t])){33}|^[ \t]{100}|[*_~]{100}/m;

/** The parts of a text in Markdown; null for one that is nested too deeply to be parsed. */
export function markdownTokens(text: string): readonly Token[] | null {
  if (TOO_DEEP.test(text)) return null;
  try {
    return lexer(text);
  } catch (error) {
    if (error instanceof RangeError) return null; // nested in another way
    throw error;
  }
}
