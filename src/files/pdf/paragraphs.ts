import type { PagePiece } from '../document.ts';
import { ANNOTATION_FONT, type LinePart, lineText, type PdfLine } from './line-parts.ts';

/** Text between two lines. */
const BETWEEN: Readonly<Record<LineJoin, string>> = { paragraph: '\n\n', space: ' ', nothing: '', hyphen: '' };

/** A line and the index of its page. */
export interface PlacedLine {
  readonly line: PdfLine;
  readonly page: number;
}

/**
 * The lines of all pages as one text: a paragraph's lines joined, words that were divided at the end of a line whole, blank
 * lines between paragraphs.
 *
 * @param lines  in reading order
 * @param apart  lines that interrupt the text, in the order of their pages: each is a paragraph, before the next one that
 *               begins on its page
 * @returns      pieces in the order of the text
 */
export function flowOf(
  lines: readonly PlacedLine[],
  apart: readonly PlacedLine[],
): { text: string; pieces: PagePiece[] } {
  const joins = lineJoinsOf(lines);
  const flow = createFlow();
  let next = 0; // of the lines apart
  const addApart = (isDue: (page: number) => boolean) => {
    for (let one = apart[next]; one && isDue(one.page); one = apart[++next]) flow.add(one, 'paragraph', 'paragraph');
  };
  for (const [index, placed] of lines.entries()) {
    const before = joins[index - 1] ?? 'paragraph';
    const isBoundary = before === 'paragraph';
    const was = next;
    addApart((page) => page < placed.page || (isBoundary && page === placed.page));
    flow.add(placed, was < next ? 'paragraph' : before, joins[index] ?? 'paragraph');
  }
  addApart(() => true);
  return flow.end();
}

function createFlow() {
  const pieces: PagePiece[] = [];
  const texts: string[] = [];
  let length = 0;
  const push = (text: string) => {
    texts.push(text);
    length += text.length;
  };
  return {
    add({ line, page }: PlacedLine, before: LineJoin, after: LineJoin): void {
      if (length > 0) push(BETWEEN[before]);
      for (const { item, from, text } of trimmed(line, after === 'hyphen')) {
        if (item !== null) pieces.push({ start: length, length: text.length, page, item, from });
        push(text);
      }
    },
    end: () => ({ text: texts.join(''), pieces }),
  };
}

/** The parts of a line without outer white space, and without the hyphen that divides its last word. */
function trimmed(line: PdfLine, dropsHyphen: boolean): LinePart[] {
  const whole = lineText(line);
  const start = whole.length - whole.trimStart().length;
  const end = whole.trimEnd().length - Number(dropsHyphen);
  let at = 0;
  return line.parts.flatMap(({ item, from, text }) => {
    const first = Math.max(0, start - at);
    const to = Math.min(text.length, end - at);
    at += text.length;
    return first < to ? [{ item, from: from + first, text: text.slice(first, to) }] : [];
  });
}

/** How a line continues in the next: a word divided by a hyphen, one that has a hyphen, a next word, or another paragraph. */
type LineJoin = 'hyphen' | 'nothing' | 'space' | 'paragraph';

/** Largest distance of two lines of a paragraph, in usual distances of lines. */
const LOOSE = 1.3;

/** Largest relative difference in size of letters within a paragraph. */
const SIZE_DIFFERENCE = 0.12;

/** Least indentation of a first line, in heights of its letters. */
const INDENT = 0.8;

/** A line that is shorter than this share of the usual width is the last of its paragraph. */
const SHORT = 0.75;

/** Start of an entry of a list, or of a numbered clause. */
const MARKER =
  /^(?:[•‣▪●○◦·*–—-]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+|§+\s*\d+)\s/;

/** End of a sentence, with closing quotes and brackets. */
const SENTENCE_END = /[.!?:;]["'”’»)\]]*$/;

/** How each line continues in the next, `[lines]`; the last ends a paragraph. */
function lineJoinsOf(lines: readonly PlacedLine[]): LineJoin[] {
  const metrics = lineMetricsOf(lines);
  return lines.map((upper, index) => {
    const lower = lines[index + 1];
    return lower && continues(upper, lower, metrics) ? lineJoin(upper.line, lower.line, metrics) : 'paragraph';
  });
}

function continues(upper: PlacedLine, lower: PlacedLine, metrics: LineMetrics): boolean {
  if (isFilledIn(upper, lower)) return true;
  if (!hasSameSize(upper.line, lower.line) || MARKER.test(lineText(lower.line).trimStart())) return false;
  const isNext = isBelow(upper, lower) && upper.line.y - lower.line.y <= metrics.distanceFor(upper.line) * LOOSE;
  return isNext ? isSameParagraph(upper.line, lower.line, metrics) : continuesAcross(upper.line, lower.line);
}

/** Largest distance of what is filled in from its label above, in heights of its letters. */
const LABELLED = 3;

/** Whether the second line is what is filled in below the label that the first is. */
function isFilledIn(upper: PlacedLine, lower: PlacedLine): boolean {
  const [above, below] = [upper.line, lower.line];
  if (below.font !== ANNOTATION_FONT || above.font === ANNOTATION_FONT) return false;
  return isBelow(upper, lower) && above.y - below.y < LABELLED * below.height && !/[.!?]$/.test(lineText(above).trim());
}

function hasSameSize(upper: PdfLine, lower: PdfLine): boolean {
  return Math.abs(upper.height - lower.height) <= SIZE_DIFFERENCE * Math.max(upper.height, lower.height);
}

function isSameParagraph(upper: PdfLine, lower: PdfLine, metrics: LineMetrics): boolean {
  const { left, width } = upper.column ?? metrics;
  const ends = SENTENCE_END.test(lineText(upper).trim());
  const isShort = upper.right - left < width * SHORT;
  const isIndented = lower.left > upper.left + INDENT * lower.height && upper.left <= left + INDENT * upper.height;
  const isHeading = isShort && upper.font !== null && lower.font !== null && upper.font !== lower.font;
  return !isHeading && !(ends && (isShort || isIndented));
}

/** In the next column or on the next page a paragraph continues only if its sentence clearly does. */
function continuesAcross(upper: PdfLine, lower: PdfLine): boolean {
  return !SENTENCE_END.test(lineText(upper).trim()) && /^\p{Ll}/u.test(lineText(lower).trim());
}

/** A word in capitals goes on in capitals. */
const CAPITALS = /^\p{Lu}{2,}$/u;

/**
 * A hyphen at the end of a line divides a word, or is part of one: the spelling in the rest of the document decides; a
 * divided word is the usual case.
 */
function lineJoin(upper: PdfLine, lower: PdfLine, metrics: LineMetrics): LineJoin {
  const above = lineText(upper).trim();
  if (above.endsWith('\u00AD')) return 'hyphen';
  const [, head] = /([\p{L}\p{N}]+)[-\u2010]$/u.exec(above) ?? [];
  if (head === undefined) return 'space';
  const below = lineText(lower).trim();
  const [tail] = (CAPITALS.test(head) ? /^(?:\p{Ll}+|\p{Lu}+(?!\p{Ll}))/u : /^\p{Ll}+/u).exec(below) ?? [];
  if (tail === undefined || /\d/.test(head)) return 'nothing'; // as in North-/South, 24-/month
  const [isWord, isHyphenated] = [head + tail, `${head}-${tail}`].map((word) =>
    metrics.words().has(word.toLowerCase()),
  );
  return isHyphenated && !isWord ? 'nothing' : 'hyphen';
}

/** Typical measures of a document's lines; lengths in units of the page. */
interface LineMetrics {
  /** Usual start of a line. */
  readonly left: number;
  /** Of a full line. */
  readonly width: number;
  /** Words within lines, in lower case, with the hyphens inside them. */
  words(): ReadonlySet<string>;
  /** From a line's baseline to the next one of the same paragraph, for letters of its size. */
  distanceFor(line: PdfLine): number;
}

/** Largest distance of lines of a paragraph in heights of their letters, even if few paragraphs have two lines. */
const FAR = 1.4;

/** Measures of all lines of a document. */
function lineMetricsOf(lines: readonly PlacedLine[]): LineMetrics {
  const lefts = lines.map(({ line }) => line.left);
  const left = shareAt(lefts, 0.5);
  const widths = lines.map(({ line }) => line.right - left);
  let words: Set<string> | null = null; // few files divide words
  const ratio = Math.min(FAR, shareAt(distancesOf(lines), 0.25));
  return {
    left,
    width: shareAt(widths, 0.9),
    words: () => (words ??= wordsIn(lines)),
    distanceFor: ({ height }) => height * ratio,
  };
}

function wordsIn(lines: readonly PlacedLine[]): Set<string> {
  return new Set(
    lines.flatMap(
      ({ line }) =>
        lineText(line)
          .toLowerCase()
          .match(/\p{L}+(?:-\p{L}+)*/gu) ?? [],
    ),
  );
}

/** Whether the second line is below the first, on one page, and read in the same direction. */
function isBelow(upper: PlacedLine, lower: PlacedLine): boolean {
  return upper.page === lower.page && upper.line.angle === lower.line.angle && lower.line.y < upper.line.y;
}

/** Distances of lines below each other, in heights of their letters. */
function distancesOf(lines: readonly PlacedLine[]): number[] {
  return lines.flatMap((upper, index) => {
    const lower = lines[index + 1];
    if (!lower || !isBelow(upper, lower) || upper.line.height <= 0) return [];
    return [(upper.line.y - lower.line.y) / upper.line.height];
  });
}

/** The quantile of a share, 0 … 1; infinity for no values. */
function shareAt(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
}
