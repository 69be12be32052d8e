import type { Span } from '../../../src/contract/code-points.ts';

/** What ends a line, and with it a sentence. @source UAX #29, ParaSep */
const LINES = /[^\n\r\u2028\u2029]+/g;

/** Marks that may end a sentence, with the quotes and brackets that close behind them. @source UAX #29, SATerm Close* */
const ENDS = /(?<marks>\p{Sentence_Terminal}{1,64})[\p{Pe}\p{Pf}\p{Pi}"']{0,16}/gu;

/** Titles stand before a name. They are capitalised, which tells `Gen.` from the end of another word. */
const TITLES =
  'Adm Brig Capt Cdr Cmdr Col Cpl Dr Fr Gen Gov Hon Hr Lt Maj Messrs Mlle Mme Mr Mrs Ms Mt Mx Pres Prof Rep Rev Sen Sgt Sr Jr St Ste Supt';

/** Other abbreviations that end no sentence. Those with a point inside, such as `p.m.`, are known by their form. */
const WORDS =
  'al approx ave blvd bros ca cf co corp dept ed eds eg esp est etc excl ext govt ie inc incl ltd misc tel univ viz vs';

/** Abbreviations before a number; `no.` and `fig.` are words too. */
const BEFORE_NUMBERS =
  'app apr art aug ch chap dec eq eqs feb fig figs jan jul jun mar no nos nov nr oct op p par pp pt sec sect sep sept vol vols';

const titles = new Set(TITLES.split(' '));
const words = new Set(WORDS.split(' '));
const beforeNumbers = new Set(BEFORE_NUMBERS.split(' '));

/**
 * Sentences by rules of our own, the same in every browser: those of UAX #29, simplified, and English abbreviations. A
 * sentence ends at the end of its line, and behind `.`, `!` or `?` with a space behind it, unless
 *
 * - a comma, colon, semicolon or dash follows, or, behind a point, a small letter
 * - the point belongs to a title (`Dr.`), an abbreviation (`e.g.`, `U.S.`, `etc.`, `No. 5`), an initial, or the number of
 *   a list's entry
 *
 * Full stops of scripts without spaces need none behind them. An abbreviation at the end of a sentence therefore joins
 * it with the next one, which is the smaller mistake: a section is never a torn sentence.
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
    // Long enough for the rules, short enough that a long line costs no more than its length.
    const before = line.slice(Math.max(start, index - CONTEXT), index);
    const after = line.slice(end, end + CONTEXT);
    if (!isEnd(marks, before, after)) continue;
    yield end;
    start = end;
  }
}

/** UTF-16 units around a mark that are looked at. */
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

/** Whether a point behind `before` belongs to what it follows. */
function isAbbreviated(before: string, next: string): boolean {
  if (/^\s*\d{1,3}$/.test(before)) return true; // the number of an entry in a list
  const word = /[\p{L}\p{M}.]+$/u.exec(before)?.[0] ?? '';
  if (/^\p{Lu}\p{M}*$/u.test(word)) return true; // an initial
  if (/^(?:\p{L}\p{L}?\.)+\p{L}{1,3}$/u.test(word)) return true; // p.m, U.S, Ph.D
  if (titles.has(word) || words.has(word.toLowerCase())) return true;
  return /^\d/.test(next) && beforeNumbers.has(word.toLowerCase());
}

function trimmedPart(line: string, from: number, to: number, offset: number): Span[] {
  const part = line.slice(from, to);
  const length = part.trim().length;
  return length === 0 ? [] : [{ start: offset + from + part.length - part.trimStart().length, length }];
}
