/** A word of the target, and the tokens that it consists of. */
export interface TargetWord {
  /** As it stands in the target, with its leading space. */
  readonly text: string;
  /** Index of its first token. */
  readonly first: number;
  readonly count: number;
}

/** Stands for bytes that are no whole character, wherever the service shows a token. */
export const FRAGMENT = '\uFFFD';

/**
 * Joins tokens to the words of the target. A token can be a few bytes of a character or a part of an emoji, which nobody
 * can read by itself.
 *
 * @param tokens  as the service shows them, in order; together they make up the target
 * @edge tokens that do not make up the target each stand alone
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

/**
 * The whole characters that each token is of: its own text, or for a part of a character that character.
 *
 * @edge tokens that do not make up the target keep their text
 */
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

/** Where the token behind fragments begins: they are at least one character. */
function startOf(token: string | undefined, target: string, from: number): number {
  const start = token === undefined ? -1 : target.indexOf(token, from + 1);
  return start < 0 ? target.length : start;
}

/** Offsets at which words, and what stands between them, begin. */
function wordStarts(text: string): ReadonlySet<number> {
  if (!('Segmenter' in Intl)) return new Set([...text.matchAll(/(?<!\s)\s|(?<=\s)\S/gu)].map(({ index }) => index));
  return new Set([...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].map(({ index }) => index));
}
