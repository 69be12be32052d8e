import type { Span } from '../../../contract/code-points.ts';

/** What people call characters: an emoji with all that is joined to it, a letter with its accents. */
export function graphemesOf(text: string): string[] {
  return segments(text).map(({ segment }) => segment);
}

/** Text in which a character may consist of several code points. */
const JOINED = /[\p{M}\u200C\u200D\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11FF]/u;

/**
 * Widens stretches of a text to whole characters, for what people read: a token can be the middle of an emoji, or an
 * invisible joiner.
 *
 * @returns  a function of stretches in UTF-16 units
 */
export function wholeCharactersIn(text: string): (stretch: Span) => Span {
  if (!JOINED.test(text)) return (stretch) => stretch;
  const starts = segments(text).map(({ index }) => index);
  return ({ start, length }) => {
    const from = starts.findLast((at) => at <= start) ?? 0;
    const to = starts.find((at) => at >= start + length) ?? text.length;
    return { start: from, length: to - from };
  };
}

function segments(text: string): { readonly segment: string; readonly index: number }[] {
  if ('Segmenter' in Intl) return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)];
  return [...text.matchAll(/\P{M}\p{M}*/gsu)].map(({ 0: segment, index }) => ({ segment, index }));
}
