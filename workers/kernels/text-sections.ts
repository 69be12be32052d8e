import type { Span } from '../../src/contract/code-points.ts';
import type { ItemPart } from '../../src/protocol/model-job.ts';
import type { SectionGranularity } from '../../src/protocol/jobs.ts';
import { pictureSections, type TileGrid } from './image-tiles.ts';

interface TokenizedSpans {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Number of sections that *auto* aims for. @source contract facts §1.5 */
const AUTO_SECTIONS = 30;

const AUTO_CANDIDATES = ['token', 'word', 'sentence', 'paragraph'] as const;

/**
 * Sections of one text.
 *
 * - token: the token's span as the contract reports it, tokens that share a character together; those without length are left out
 * - word: words and numbers; a run of punctuation or symbols is a section of its own, and so is each picture character
 * - sentence: sentences, spaces around them dropped
 * - paragraph: separated by blank lines, single newlines stay inside
 * - custom: separated by the delimiter, which is in no section; empty parts are dropped
 *
 * @returns  UTF-16 spans in order, never overlapping, none empty; by word, sentence or paragraph every character but
 *           white space is in one
 * @source   contract facts §1.5; words and sentences are defined below
 */
export function textSections({ text, spans }: TokenizedSpans, granularity: SectionGranularity): Span[] {
  switch (granularity.type) {
    case 'token':
      return withoutOverlap(spans.filter(({ length }) => length > 0));
    case 'word':
      return wordPieces(text).map(({ start, length }) => ({ start, length }));
    case 'sentence':
      return sentencesOf(text);
    case 'paragraph':
      return partsOf(text, /\n[^\S\n]*(?:\n[^\S\n]*)+/g).flatMap(({ start, length }) =>
        trimmedPart(text, start, start + length),
      );
    case 'custom':
      return partsOf(text, new RegExp(granularity.delimiter.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'g'));
  }
}

type Sectioned =
  | { readonly type: 'text'; readonly tokenized: TokenizedSpans }
  | { readonly type: 'image'; readonly seen: { readonly grid: TileGrid } }
  | { readonly type: 'token_ids'; readonly count: number };

/** Sections of one item: token ids are explained one by one, whatever the granularity. @source contract facts §1.5 */
function partsOfItem(item: Sectioned, granularity: SectionGranularity): ItemPart[] {
  switch (item.type) {
    case 'text':
      return textSections(item.tokenized, granularity).map((span) => ({ span }));
    case 'image':
      return pictureSections(granularity.type, item.seen.grid).map((rect) => ({ rect }));
    case 'token_ids':
      return Array.from({ length: item.count }, (_, index) => ({ index }));
  }
}

/**
 * Sections of the items of a prompt, in order, each with the index of its item.
 *
 * @param granularity  null: that of `autoGranularity`
 * @param explained    indices of the items that have sections; null: all
 */
export function sectionsOfItems(
  items: readonly Sectioned[],
  granularity: SectionGranularity | null,
  explained: readonly number[] | null,
): (ItemPart & { readonly item: number })[] {
  const isExplained = (_: unknown, item: number) => explained === null || explained.includes(item);
  const chosen = granularity ?? autoGranularity(items.filter(isExplained));
  return items.flatMap((each, item) =>
    isExplained(each, item) ? partsOfItem(each, chosen).map((part) => ({ item, ...part })) : [],
  );
}

/** The granularity whose number of sections in all items is nearest to 30, but not 0; of two equally near ones the finer. */
export function autoGranularity(items: readonly Sectioned[]): SectionGranularity {
  const distances = AUTO_CANDIDATES.map((type) => {
    const count = items.reduce((sum, item) => sum + partsOfItem(item, { type }).length, 0);
    return { type, distance: count === 0 ? Infinity : Math.abs(count - AUTO_SECTIONS) };
  });
  const nearest = distances.reduce((best, next) => (next.distance < best.distance ? next : best));
  return { type: nearest.type };
}

/** Tokens that hold parts of one character overlap; they are one section. */
function withoutOverlap(spans: readonly Span[]): Span[] {
  const sections: Span[] = [];
  for (const span of spans) {
    const last = sections.at(-1);
    const end = last ? last.start + last.length : 0;
    if (!last || span.start >= end) sections.push(span);
    else sections[sections.length - 1] = { ...last, length: Math.max(end, span.start + span.length) - last.start };
  }
  return sections;
}

function partsOf(text: string, separator: RegExp): Span[] {
  let start = 0;
  const parts: Span[] = [];
  for (const match of text.matchAll(separator)) {
    parts.push({ start, length: match.index - start });
    start = match.index + match[0].length;
  }
  parts.push({ start, length: text.length - start });
  return parts.filter(({ length }) => length > 0);
}

/** A part of a text without white space around it; none where it is blank. @param offset  added to its start */
function trimmedPart(text: string, from: number, to: number, offset = 0): Span[] {
  const part = text.slice(from, to);
  const length = part.trim().length;
  return length === 0 ? [] : [{ start: offset + from + part.length - part.trimStart().length, length }];
}

/** Lines; a sentence ends with its line. @source UAX #29, ParaSep */
const LINES = /[^\n\r\u2028\u2029]+/g;

/** Marks that may end a sentence, with the quotes and brackets that close after them. @source UAX #29, SATerm Close* */
const ENDS = /(?<marks>\p{Sentence_Terminal}{1,64})[\p{Pe}\p{Pf}\p{Pi}"']{0,16}/gu;

/** Titles before a name. They are capitalised, which distinguishes `Gen.` from the end of another word. */
const TITLES = new Set(
  'Adm Brig Capt Cdr Cmdr Col Cpl Dr Fr Gen Gov Hon Hr Lt Maj Messrs Mlle Mme Mr Mrs Ms Mt Mx Pres Prof Rep Rev Sen Sgt Sr Jr St Ste Supt'.split(
    ' ',
  ),
);

/** Other abbreviations that do not end a sentence. Those with a point inside, such as `p.m.`, are recognised by their form. */
const ABBREVIATIONS = new Set(
  'al approx ave blvd bros ca cf co corp dept ed eds eg esp est etc excl ext govt ie inc incl ltd misc tel univ viz vs'.split(
    ' ',
  ),
);

/** Abbreviations before a number; `no.` and `fig.` are words too. */
const BEFORE_NUMBERS = new Set(
  'app apr art aug ch chap dec eq eqs feb fig figs jan jul jun mar no nos nov nr oct op p par pp pt sec sect sep sept vol vols'.split(
    ' ',
  ),
);

/**
 * Sentences, the same in every browser: by the rules of UAX #29, simplified, and English abbreviations. A sentence ends at the
 * end of its line, and after `.`, `!` or `?` with a space after it, unless
 *
 * - a comma, colon, semicolon or dash follows, or, after a point, a small letter
 * - the point belongs to a title (`Dr.`), an abbreviation (`e.g.`, `U.S.`, `etc.`, `No. 5`), an initial, or the number of
 *   a list's entry
 *
 * Full stops of scripts without spaces need no space. An abbreviation at the end of a sentence therefore joins it with the next
 * one, which is the smaller mistake: a section is never a part of a sentence.
 *
 * @returns UTF-16 spans in order, none empty; every character but white space is in exactly one of them
 * @source  Unicode Standard Annex #29, section 5, rules SB4 to SB11; abbreviations are decided here
 */
export function sentencesOf(text: string): Span[] {
  return Array.from(text.matchAll(LINES)).flatMap(({ index, 0: line }) => {
    const ends = [...endsIn(line), line.length];
    return ends.flatMap((end, i) => trimmedPart(line, ends[i - 1] ?? 0, end, index));
  });
}

/** From the beginning of the first to the end of the last sentence that a span touches; the span itself where none does. */
export function sentencesAround(text: string, { start, length }: Span): Span {
  const touched = sentencesOf(text).filter((each) => each.start < start + length && each.start + each.length > start);
  const from = Math.min(start, ...touched.map((each) => each.start));
  const to = Math.max(start + length, ...touched.map((each) => each.start + each.length));
  return { start: from, length: to - from };
}

function* endsIn(line: string): Generator<number> {
  let start = 0;
  for (const { index, 0: found, groups } of line.matchAll(ENDS)) {
    const marks = groups?.['marks'] ?? '';
    const end = index + found.length;
    // Long enough for the rules, short enough that the time stays linear in the length of a line.
    const before = line.slice(Math.max(start, index - CONTEXT), index);
    const after = line.slice(end, end + CONTEXT);
    if (!isEnd(marks, before, after)) continue;
    yield end;
    start = end;
  }
}

/** UTF-16 units before and after a mark that the rules read. */
const CONTEXT = 64;

function isEnd(marks: string, before: string, after: string): boolean {
  const next = after.trimStart();
  const isSpaced = next.length < after.length;
  if (!isSpaced && /[.!?]$/.test(marks)) return false;
  if (/^[,;:\-–—、，：；]/.test(next)) return false;
  if (!/^\.+$/.test(marks)) return true;
  if (/^[^\p{L}\p{Sentence_Terminal}]*\p{Ll}/u.test(next)) return false;
  return marks.length > 1 || !isAbbreviated(before, next);
}

/** Whether a point after `before` belongs to an abbreviation. */
function isAbbreviated(before: string, next: string): boolean {
  if (/^\s*\d{1,3}$/.test(before)) return true; // the number of an entry in a list
  const word = /[\p{L}\p{M}.]+$/u.exec(before)?.[0] ?? '';
  if (/^\p{Lu}\p{M}*$/u.test(word)) return true; // an initial
  if (/^(?:\p{L}\p{L}?\.)+\p{L}{1,3}$/u.test(word)) return true; // p.m, U.S, Ph.D
  if (TITLES.has(word) || ABBREVIATIONS.has(word.toLowerCase())) return true;
  return /^\d/.test(next) && BEFORE_NUMBERS.has(word.toLowerCase());
}

/**
 * Words by Unicode's properties, not by `Intl.Segmenter`: browsers ship different versions and dictionaries of it, so the same
 * text would have other sections in another browser. The rules are those of UAX #29 with these differences: every number joins
 * (`x²`), `+` and `#` after a letter belong to it (`C++`, `C#`), and scripts without spaces are not looked up in a dictionary:
 * Han and Hiragana are split into characters, others only at spaces.
 */
const CLASSES = {
  /** Characters that extend the one before: accents, joiners, variation selectors. */
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

/** A picture character with the ones joined to it: skin tones, families, flags, keys. @source UTS #51, ED-17 */
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

interface WordPiece extends Span {
  /** A word or a number, not punctuation, symbols or picture characters. */
  readonly isWord: boolean;
}

/** Maximum UTF-16 units of a match: a longer one would exhaust the stack of the regular expression. */
const MAX_SEGMENTED_LENGTH = 2 ** 16;

/**
 * Words, and the pieces between them: a run of punctuation (`***`, `.”`) is one piece, each picture character another.
 *
 * @returns UTF-16 spans in order, none empty; every character but white space is in exactly one of them
 * @edge    a run of more than 65,536 units without white space is cut there
 * @source  Unicode Standard Annex #29, section 4, with the differences above
 */
export function wordPieces(text: string): WordPiece[] {
  return segmentedRuns(text).flatMap(([from, to]) =>
    Array.from(text.slice(from, to).matchAll(PIECES), ({ index, 0: { length }, groups }) => ({
      start: from + index,
      length,
      isWord: groups?.['word'] !== undefined,
    })),
  );
}

function segmentedRuns(text: string): (readonly [from: number, to: number])[] {
  const runs: (readonly [number, number])[] = [];
  for (let from = 0; from < text.length;) {
    const to = endOfRun(text, from);
    runs.push([from, to]);
    from = to;
  }
  return runs;
}

/** The end of the last white space within the limit, else the limit, but not inside a character. */
function endOfRun(text: string, from: number): number {
  const limit = from + MAX_SEGMENTED_LENGTH;
  if (limit >= text.length) return text.length;
  for (let end = limit; end > from; end--) if (/\s/.test(text.charAt(end - 1))) return end;
  return /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
}

/** The words of a text in lower case, in order, for counting. */
export function wordTexts(text: string): string[] {
  return wordPieces(text).flatMap(({ start, length, isWord }) =>
    isWord ? [text.slice(start, start + length).toLowerCase()] : [],
  );
}
