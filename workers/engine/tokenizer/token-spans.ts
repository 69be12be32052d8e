import type { Span } from '../../../src/contract/code-points.ts';

/**
 * The span of each token of a text that was read from their bytes.
 *
 * @param text    well-formed Unicode
 * @param counts  UTF-8 bytes of each token, in order; they add up to those of the text
 * @returns       UTF-16 spans, `[counts]`; a token that holds a part of a character spans the whole character
 */
export function spansOfBytes(text: string, counts: readonly number[]): Span[] {
  const { starts, ends } = unitsOfBytes(text);
  let byte = 0;
  return counts.map((count) => {
    const start = starts[byte] ?? text.length;
    byte += count;
    return { start, length: Math.max(0, (ends[byte - 1] ?? 0) - start) };
  });
}

/** Where the character of each UTF-8 byte of a text begins and ends, UTF-16 units. @edge half a surrogate pair has the three bytes of U+FFFD */
export function unitsOfBytes(text: string): { readonly starts: readonly number[]; readonly ends: readonly number[] } {
  const starts: number[] = [];
  const ends: number[] = [];
  let unit = 0;
  for (const character of text) {
    for (let bytes = utf8Length(character.codePointAt(0) ?? 0); bytes > 0; bytes--) {
      starts.push(unit);
      ends.push(unit + character.length);
    }
    unit += character.length;
  }
  return { starts, ends };
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/**
 * Spans of tokens, widened over characters that no token stands for, such as marks and controls that a tokenizer removes: they
 * count to the token before them, at the beginning to the one after. White space alone stays outside.
 *
 * @param spans  UTF-16, in order; they may overlap
 */
export function coveringSpans(text: string, spans: readonly Span[]): Span[] {
  const covering: Span[] = [];
  let end = 0;
  for (const span of spans) {
    const missed = span.start > end ? text.slice(end, span.start) : '';
    const last = covering.at(-1);
    const widened = missed.trim() === '' ? 0 : last ? missed.trimEnd().length : missed.trimStart().length;
    if (widened > 0 && last) covering[covering.length - 1] = { ...last, length: end + widened - last.start };
    const before = last ? 0 : widened;
    covering.push({ start: span.start - before, length: span.length + before });
    end = Math.max(end, span.start + span.length);
  }
  const [last, rest] = [covering.at(-1), text.slice(end).trimEnd()];
  if (last && rest.trim() !== '') covering[covering.length - 1] = { ...last, length: end + rest.length - last.start };
  return covering;
}

/**
 * Spans as the contract reports them: one leading space is cut off, except from the first token of a text, which keeps
 * it. A token that is a single space stays as it is.
 *
 * @source contract facts §1.5, token spans
 */
export function withoutLeadingSpace(text: string, spans: readonly Span[]): Span[] {
  return spans.map((span, index) =>
    index > 0 && span.length > 1 && text[span.start] === ' '
      ? { start: span.start + 1, length: span.length - 1 }
      : span,
  );
}
