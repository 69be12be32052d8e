import { lexer, type Token } from 'marked';

/**
 * Deeply nested quotes and lists, a deep indentation, or a long run of marks for emphasis. The parser recurses into each
 * and would exhaust the stack, or take seconds.
 */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d+[.)][ \t])){33}|^[ \t]{100}|[*_~]{100}/m;

/** Lines below the header of a table get as many cells as it has, so that a small text becomes millions of them. */
const MAX_CELLS = 2_000_000;

/** The line below the header of a table. */
const DELIMITERS = /^[ \t>]*(?=[^\n]*\|)[ \t|:-]+$/gm;

function hasTooManyCells(text: string): boolean {
  const columns = Array.from(text.matchAll(DELIMITERS), ([line]) => line.split('|').length);
  return (
    columns.length > 0 && columns.reduce((most, each) => Math.max(most, each)) * text.split('\n').length > MAX_CELLS
  );
}

/** The parts of a text in Markdown; null for one that is nested too deeply to be parsed, or has tables too large. */
export function markdownTokens(text: string): readonly Token[] | null {
  if (TOO_DEEP.test(text) || hasTooManyCells(text)) return null;
  try {
    return lexer(text);
  } catch (error) {
    if (error instanceof RangeError) return null; // nested in another way
    throw error;
  }
}
