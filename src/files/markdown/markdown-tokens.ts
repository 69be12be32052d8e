import { lexer, type Token } from 'marked';

/**
 * More quotes and lists in one another than any card needs, a deep indentation, or a long run of marks for emphasis. The
 * parser recurses into each and would exhaust the stack, or take seconds.
 */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d+[.)][ \t])){33}|^[ \t]{100}|[*_~]{100}/m;

/** The parts of a text in Markdown; null where it is nested so deeply that it is better shown as it is written. */
export function markdownTokens(text: string): readonly Token[] | null {
  if (TOO_DEEP.test(text)) return null;
  try {
    return lexer(text);
  } catch (error) {
    if (error instanceof RangeError) return null; // nested by other means
    throw error;
  }
}
