import { type Line, textOf } from './lines.ts';
import { habitsOf, type Habits, isBelow, type PlacedLine } from './habits.ts';

/** How a line goes on in the next: a word cut by a hyphen, one that keeps its hyphen, a next word, or another paragraph. */
export type Joint = 'hyphen' | 'nothing' | 'space' | 'paragraph';

/** Distance of two lines of a paragraph at most, in the usual distance of lines. */
const LOOSE = 1.3;

/** Difference in size of letters within a paragraph at most. */
const SIZE_DIFFERENCE = 0.12;

/** A first line is set in by at least so much of its letters' height. */
const INDENT = 0.8;

/** A line that ends before this share of the usual width is the last of its paragraph. */
const SHORT = 0.75;

/** What an entry of a list, or a numbered clause, begins with. */
const MARKER =
  /^(?:[•‣▪●○◦·*–—-]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+|§+\s*\d+)\s/;

/** Ends a sentence, with what may close behind it. */
const SENTENCE_END = /[.!?:;]["'”’»)\]]*$/;

/** How each line goes on in the next, `[lines]`; the last ends a paragraph. */
export function jointsOf(lines: readonly PlacedLine[]): Joint[] {
  const habits = habitsOf(lines);
  return lines.map((upper, index) => {
    const lower = lines[index + 1];
    return lower && goesOn(upper, lower, habits) ? jointWithin(upper.line, lower.line, habits.words) : 'paragraph';
  });
}

function goesOn(upper: PlacedLine, lower: PlacedLine, habits: Habits): boolean {
  if (!hasSameSize(upper.line, lower.line) || MARKER.test(textOf(lower.line).trimStart())) return false;
  const isNext = isBelow(upper, lower) && upper.line.y - lower.line.y <= habits.distanceFor(upper.line) * LOOSE;
  return isNext ? isSameParagraph(upper.line, lower.line, habits) : goesOnElsewhere(upper.line, lower.line);
}

function hasSameSize(upper: Line, lower: Line): boolean {
  return Math.abs(upper.height - lower.height) <= SIZE_DIFFERENCE * Math.max(upper.height, lower.height);
}

function isSameParagraph(upper: Line, lower: Line, { left, width }: Habits): boolean {
  const ends = SENTENCE_END.test(textOf(upper).trim());
  const isShort = upper.right - left < width * SHORT;
  const isIndented = lower.left > upper.left + INDENT * lower.height && upper.left <= left + INDENT * upper.height;
  const isHeading = isShort && upper.font !== null && lower.font !== null && upper.font !== lower.font;
  return !isHeading && !(ends && (isShort || isIndented));
}

/** In the next column or on the next page a paragraph goes on only where its sentence obviously does. */
function goesOnElsewhere(upper: Line, lower: Line): boolean {
  return !SENTENCE_END.test(textOf(upper).trim()) && /^\p{Ll}/u.test(textOf(lower).trim());
}

/**
 * A hyphen at the end of a line cuts a word, or belongs to one: what the rest of the document writes decides, and a cut
 * word is the usual case.
 */
function jointWithin(upper: Line, lower: Line, words: ReadonlySet<string>): Joint {
  const [above, below] = [textOf(upper).trim(), textOf(lower).trim()];
  if (above.endsWith('\u00AD')) return 'hyphen';
  const [, head] = /([\p{L}\p{N}]+)[-\u2010]$/u.exec(above) ?? [];
  if (head === undefined) return 'space';
  const [tail] = /^\p{Ll}+/u.exec(below) ?? [];
  if (tail === undefined || /\d/.test(head)) return 'nothing'; // as in North-/South, 24-/month
  const [isCut, isKept] = [head + tail, `${head}-${tail}`].map((word) => words.has(word.toLowerCase()));
  return isKept && !isCut ? 'nothing' : 'hyphen';
}
