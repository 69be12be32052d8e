import { FRAGMENT, type Span } from '../contract/code-points.ts';

/** A word of the target, and the tokens that it consists of. */
interface TargetWord {
  /** With its leading space. */
  readonly text: string;
  /** Index of its first token. */
  readonly first: number;
  readonly count: number;
}

/**
 * Joins tokens to the words of the target. A token can be a few bytes of a character or a part of an emoji, which is not
 * readable by itself.
 *
 * @param tokens  texts from the service, in order; together they make up the target
 * @edge tokens that do not make up the target are a word each
 */
export function targetWords(tokens: readonly string[], target: string): TargetWord[] {
  const pieces = wholeCharacters(tokens, target);
  if (!pieces) return tokens.map((text, first) => ({ text, first, count: 1 }));
  const starts = wordStarts(target);
  const words: TargetWord[] = [];
  let at = 0;
  for (const piece of pieces) {
    const last = words.at(-1);
    if (!last || (starts.has(at) && last.text.trim() !== '')) words.push(piece);
    else words[words.length - 1] = { ...last, text: last.text + piece.text, count: last.count + piece.count };
    at += piece.text.length;
  }
  return words;
}

/** The character that each token is part of, or its own text. @edge also for tokens that do not make up the target */
export function charactersOf(tokens: readonly string[], target: string): string[] {
  const pieces = wholeCharacters(tokens, target);
  return pieces ? pieces.flatMap(({ text, count }) => Array.from({ length: count }, () => text)) : [...tokens];
}

/** Runs of tokens that are whole characters together; undefined when the tokens do not make up the target. */
function wholeCharacters(tokens: readonly string[], target: string): TargetWord[] | undefined {
  const pieces: TargetWord[] = [];
  let at = 0;
  for (let first = 0; first < tokens.length;) {
    const end = endOfFragments(tokens, first);
    const text = end === first ? (tokens[first] ?? '') : target.slice(at, startOf(tokens[end], target, at));
    if (text === '' || !target.startsWith(text, at)) return undefined;
    const count = Math.max(1, end - first);
    pieces.push({ text, first, count });
    first += count;
    at += text.length;
  }
  return at === target.length ? pieces : undefined;
}

function endOfFragments(tokens: readonly string[], first: number): number {
  let end = first;
  while (tokens[end]?.includes(FRAGMENT)) end++;
  return end;
}

/** Where the token after fragments begins: they are at least one character. */
function startOf(token: string | undefined, target: string, from: number): number {
  const start = token === undefined ? -1 : target.indexOf(token, from + 1);
  return start < 0 ? target.length : start;
}

/** Offsets at which words, and the text between them, begin. */
function wordStarts(text: string): ReadonlySet<number> {
  if (!('Segmenter' in Intl)) return new Set([...text.matchAll(/(?<!\s)\s|(?<=\s)\S/gu)].map(({ index }) => index));
  return new Set([...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].map(({ index }) => index));
}

/** Number of words between spaces. */
export function spacedWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/**
 * Parts of a text between characters: before one of ASCII, or an ideograph. Of each segment V8 makes a copy of the whole text: in one
 * piece 60,000 characters need 3.8 GB.
 */
const STRETCHES = /[^]{500,}?(?=[ -~一-鿿]|$)|[^]+/g;

/** What people call characters: an emoji with all that is joined to it, a letter with its accents. */
export function graphemesOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return text.match(/\P{M}\p{M}*/gsu) ?? [];
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return (text.match(STRETCHES) ?? []).flatMap((stretch) =>
    Array.from(segmenter.segment(stretch), ({ segment }) => segment),
  );
}

/** Text in which a character may consist of several code points. */
const JOINED = /[\p{M}\u200C\u200D\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11FF]/u;

/**
 * Widens runs of a text to whole characters, for what people read: a token can be the middle of an emoji, or an
 * invisible joiner.
 *
 * @returns  a function of runs in UTF-16 units
 */
export function wholeCharactersIn(text: string): (stretch: Span) => Span {
  if (!JOINED.test(text)) return (stretch) => stretch;
  let end = 0;
  const starts = graphemesOf(text).map(({ length }) => (end += length) - length);
  return ({ start, length }) => {
    const from = starts.findLast((at) => at <= start) ?? 0;
    const to = starts.find((at) => at >= start + length) ?? text.length;
    return { start: from, length: to - from };
  };
}
