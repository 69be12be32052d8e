import type { Span } from '../../../src/contract/code-points.ts';

/**
 * Words by rules of our own on Unicode's properties, not by `Intl.Segmenter`: browsers ship different versions of it and
 * different dictionaries, so the same text would have other sections in another browser.
 *
 * They are those of UAX #29 with these differences: every number joins (`x²`), `+` and `#` behind a letter belong to it
 * (`C++`, `C#`), and scripts written without spaces are not looked up in a dictionary: Han and Hiragana part into
 * characters, others run on to the next space.
 */
const CLASSES = {
  /** What belongs to the character before it: accents, joiners, variation selectors. */
  extend: String.raw`[\p{M}\p{Cf}]*`,
  letter: String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\p{Alphabetic}`,
  /** Ideographs, each a word. */
  single: String.raw`(?:\p{Script=Han}|\p{Script=Hiragana})`,
  katakana: String.raw`[\p{Script=Katakana}ー]`,
  number: String.raw`\p{N}`,
  /** Joins letters, numbers and itself: the underscore. */
  connector: String.raw`\p{Pc}`,
  /** Between two letters: `can't`, `e.g`. */
  midLetter: String.raw`['’‘.·․‧﹒＇．]`,
  /** Between two numbers: `1,000.5`. */
  midNumber: String.raw`['’.,;․﹒＇．，；]`,
} as const;

const word = (() => {
  const { extend, letter, katakana, number, connector, midLetter, midNumber } = CLASSES;
  const one = (kind: string) => `(?:${kind})${extend}`;
  const [letters, numbers] = [`(?:${one(letter)})+`, `(?:${one(number)})+`];
  const lettersJoined = `${letters}(?:${one(midLetter)}${letters})*`;
  const numbersJoined = `${numbers}(?:${one(midNumber)}${numbers})*`;
  const named = String.raw`(?<=\p{L}\p{M}*)[+#]+(?![\p{L}\p{N}])`;
  return `(?:${lettersJoined}|${numbersJoined}|(?:${one(katakana)})+|${one(connector)})+(?:${named})?`;
})();

/** A picture character with what is joined to it: skin tones, families, flags, keys. @source UTS #51, ED-17 */
const EMOJI = (() => {
  const picture = String.raw`\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?[\u{E0020}-\u{E007F}]*`;
  const flag = String.raw`\p{Regional_Indicator}{2}`;
  const key = String.raw`[#*0-9]\uFE0F?\u20E3`;
  return `${flag}|${key}|${picture}(?:\\u200D${picture})*`;
})();

const PIECES = new RegExp(
  `(?<emoji>${EMOJI})|(?<word>${CLASSES.single}${CLASSES.extend}|${word})|` +
    // A run of punctuation and symbols up to the next word, picture character or space.
    String.raw`(?:(?!${EMOJI})(?![\p{Alphabetic}\p{N}\p{Pc}])\S)+|\S`,
  'gu',
);

/** A piece of a text. */
export interface Piece extends Span {
  /** A word or a number, not punctuation, symbols or picture characters. */
  readonly isWord: boolean;
}

/** UTF-16 units that are cut in one go: a longer match would exhaust the stack of the regular expression. */
const LONGEST_STRETCH = 2 ** 16;

/**
 * Words, and what stands between them: a run of punctuation (`***`, `.”`) is one piece, each picture character another.
 *
 * @returns UTF-16 spans in order, none empty; every character but white space is in exactly one of them
 * @edge    a stretch of more than 65,536 units without white space is cut there
 * @source  Unicode Standard Annex #29, section 4, with the differences said above
 */
export function piecesOf(text: string): Piece[] {
  return stretchesOf(text).flatMap(([from, to]) =>
    Array.from(text.slice(from, to).matchAll(PIECES), ({ index, 0: { length }, groups }) => ({
      start: from + index,
      length,
      isWord: groups?.['word'] !== undefined,
    })),
  );
}

function stretchesOf(text: string): (readonly [from: number, to: number])[] {
  const stretches: (readonly [number, number])[] = [];
  for (let from = 0; from < text.length;) {
    const to = endOfStretch(text, from);
    stretches.push([from, to]);
    from = to;
  }
  return stretches;
}

/** Behind the last white space that is near enough, else anywhere but inside a character. */
function endOfStretch(text: string, from: number): number {
  const limit = from + LONGEST_STRETCH;
  if (limit >= text.length) return text.length;
  for (let end = limit; end > from; end--) if (/\s/.test(text.charAt(end - 1))) return end;
  return /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
}

/** The words of a text in lower case, in order, for counting. */
export function wordTexts(text: string): string[] {
  return piecesOf(text).flatMap(({ start, length, isWord }) =>
    isWord ? [text.slice(start, start + length).toLowerCase()] : [],
  );
}
