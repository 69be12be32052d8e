import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type FileContent, type PagePiece, type ReadOptions, UnreadableFile } from '../document.ts';
import { openPdf, untilAborted } from './pdf-library.ts';
import type { Span } from '../../contract/code-points.ts';
import type { TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.d.ts';

/** Most pages that are read. */
const MAX_PAGES = 3_000;

/**
 * The text of a PDF, and the place of each part of it on the pages.
 *
 * @param bytes  are moved to a worker, so the array is empty afterwards
 * @throws {UnreadableFile} `encrypted`, `damaged` or `too_long`; `damaged` also when the worker dies
 * @throws the reason of the signal
 */
export async function readPdf(
  bytes: Uint8Array<ArrayBuffer>,
  { signal: given, onProgress }: ReadOptions,
): Promise<FileContent> {
  const { pdf, signal, close } = await openPdf(bytes, given);
  try {
    const { numPages } = pdf;
    if (numPages > MAX_PAGES) throw new UnreadableFile('too_long', `${numPages} pages`);
    const pages: PageLines[] = [];
    for (let number = 1; number <= numPages; number++) {
      pages.push(await untilAborted(readPage(pdf, number), signal));
      onProgress?.(number, numPages);
      signal.throwIfAborted();
    }
    const { text, pieces, pages: spans } = flowOf(bodyLines(pages.map(({ lines }) => lines)));
    const sized = pages.map(({ width, height }, i) => ({ start: 0, length: 0, ...spans[i], width, height }));
    return { text, layout: { type: 'pages', pages: sized, pieces }, unread: [] };
  } finally {
    await close();
  }
}

interface PageLines {
  readonly lines: PdfLine[];
  readonly width: number;
  readonly height: number;
}

/** A page that cannot be parsed makes the file damaged: an answer might be on it. */
async function readPage(pdf: PDFDocumentProxy, number: number): Promise<PageLines> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const { width, height } = page.getViewport({ scale: 1 });
    page.cleanup();
    return { lines: linesOf(items), width, height };
  } catch (cause) {
    throw new UnreadableFile('damaged', `page ${number}`, { cause });
  }
}

/** Lines at either end of a page that may be a running head or foot. */
const MARGIN_LINES = 3;

/** A line is one if it is at the same end of at least this many pages, and of at least this share. */
const MIN_PAGES = 3;
const MIN_SHARE = 0.4;

/** A page's number, alone or after the word for page in a few languages. */
const PAGE_NUMBER = /^[-–—\s]*(?:(?:page|seite|p\.|s\.)\s*)?\d{1,4}(?:\s*(?:\/|of|von)\s*\d{1,4})?[-–—\s]*$/i;

/**
 * The lines of each page without running heads, running feet and page numbers, which would be in the middle of sentences.
 */
function bodyLines(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const counts = new Map<string, number>();
  for (const lines of pages)
    for (const key of new Set(lines.flatMap((line, i) => keyOf(line, i, lines.length) ?? [])))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const enough = Math.max(MIN_PAGES, pages.length * MIN_SHARE);
  return pages.map((lines) =>
    lines.filter((line, i) => {
      const isOuter = lines.length > 1 && (i === 0 || i === lines.length - 1);
      if (isOuter && PAGE_NUMBER.test(lineText(line).trim())) return false;
      return (counts.get(keyOf(line, i, lines.length) ?? '') ?? 0) < enough;
    }),
  );
}

/** Equal for running heads and feet of all pages: place, and text without numbers. Null for other lines. */
function keyOf(line: PdfLine, index: number, count: number): string | null {
  const isOuter = index < MARGIN_LINES || index >= count - MARGIN_LINES;
  return isOuter ? `${Math.round(line.y)} ${lineText(line).trim().replaceAll(/\d+/g, '#')}` : null;
}

/** Text between two lines. */
const BETWEEN: Readonly<Record<LineJoin, string>> = { paragraph: '\n\n', space: ' ', nothing: '', hyphen: '' };

/**
 * The lines of all pages as one text: a paragraph's lines joined, words that were divided at the end of a line whole, blank
 * lines between paragraphs.
 *
 * @returns `pages`: the span of each page
 */
function flowOf(pages: readonly (readonly PdfLine[])[]) {
  const lines = pages.flatMap((lines, page) => lines.map((line) => ({ line, page })));
  const joins = lineJoinsOf(lines);
  const pieces: PagePiece[] = [];
  const texts: string[] = [];
  let length = 0;
  const add = (text: string) => {
    texts.push(text);
    length += text.length;
  };
  lines.forEach(({ line, page }, index) => {
    const join = joins[index] ?? 'paragraph';
    for (const { item, from, text } of trimmed(line, join === 'hyphen')) {
      pieces.push({ start: length, length: text.length, page, item, from });
      add(text);
    }
    if (index < lines.length - 1) add(BETWEEN[join]);
  });
  return { text: texts.join(''), pieces, pages: pages.map((_, page) => spanOf(pieces, page)) };
}

/** The items of a line without outer white space, and without the hyphen that divides its last word. */
function trimmed(line: PdfLine, dropsHyphen: boolean): { item: number; from: number; text: string }[] {
  const whole = lineText(line);
  const start = whole.length - whole.trimStart().length;
  const end = whole.trimEnd().length - Number(dropsHyphen);
  let at = 0;
  return line.items.flatMap(({ item, text }) => {
    const from = Math.max(0, start - at);
    const to = Math.min(text.length, end - at);
    at += text.length;
    return from < to ? [{ item, from, text: text.slice(from, to) }] : [];
  });
}

function spanOf(pieces: readonly PagePiece[], page: number): Span {
  const first = pieces.find((piece) => piece.page === page);
  const last = pieces.findLast((piece) => piece.page === page);
  if (!first || !last) return { start: 0, length: 0 };
  return { start: first.start, length: last.start + last.length - first.start };
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
    return lower && continues(upper, lower, metrics) ? lineJoin(upper.line, lower.line, metrics.words) : 'paragraph';
  });
}

function continues(upper: PlacedLine, lower: PlacedLine, metrics: LineMetrics): boolean {
  if (!hasSameSize(upper.line, lower.line) || MARKER.test(lineText(lower.line).trimStart())) return false;
  const isNext = isBelow(upper, lower) && upper.line.y - lower.line.y <= metrics.distanceFor(upper.line) * LOOSE;
  return isNext ? isSameParagraph(upper.line, lower.line, metrics) : continuesAcross(upper.line, lower.line);
}

function hasSameSize(upper: PdfLine, lower: PdfLine): boolean {
  return Math.abs(upper.height - lower.height) <= SIZE_DIFFERENCE * Math.max(upper.height, lower.height);
}

function isSameParagraph(upper: PdfLine, lower: PdfLine, { left, width }: LineMetrics): boolean {
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

/**
 * A hyphen at the end of a line divides a word, or is part of one: the spelling in the rest of the document decides; a
 * divided word is the usual case.
 */
function lineJoin(upper: PdfLine, lower: PdfLine, words: ReadonlySet<string>): LineJoin {
  const [above, below] = [lineText(upper).trim(), lineText(lower).trim()];
  if (above.endsWith('\u00AD')) return 'hyphen';
  const [, head] = /([\p{L}\p{N}]+)[-\u2010]$/u.exec(above) ?? [];
  if (head === undefined) return 'space';
  const [tail] = /^\p{Ll}+/u.exec(below) ?? [];
  if (tail === undefined || /\d/.test(head)) return 'nothing'; // as in North-/South, 24-/month
  const [isWord, isHyphenated] = [head + tail, `${head}-${tail}`].map((word) => words.has(word.toLowerCase()));
  return isHyphenated && !isWord ? 'nothing' : 'hyphen';
}

/** A line and the index of its page. */
interface PlacedLine {
  readonly line: PdfLine;
  readonly page: number;
}

/** Typical measures of a document's lines; lengths in units of the page. */
interface LineMetrics {
  /** Usual start of a line. */
  readonly left: number;
  /** Of a full line. */
  readonly width: number;
  /** Words within lines, in lower case, with the hyphens inside them. */
  readonly words: ReadonlySet<string>;
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
  const words = lines.flatMap(({ line }) => [
    ...lineText(line)
      .toLowerCase()
      .matchAll(/\p{L}+(?:-\p{L}+)*/gu),
  ]);
  const ratio = Math.min(FAR, shareAt(distancesOf(lines), 0.25));
  return {
    left,
    width: shareAt(widths, 0.9),
    words: new Set(words.map(([word]) => word)),
    distanceFor: ({ height }) => height * ratio,
  };
}

/** Whether the second line is below the first, on one page. */
function isBelow(upper: PlacedLine, lower: PlacedLine): boolean {
  return upper.page === lower.page && lower.line.y < upper.line.y;
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

/** A line of a page; lengths are in units of the page, a 72nd of an inch. */
interface PdfLine {
  /** Items by their index in pdf.js. Texts are well-formed, without control characters, as long as the item's own text. */
  readonly items: readonly { readonly item: number; readonly text: string }[];
  readonly left: number;
  readonly right: number;
  /** Of the baseline, from the bottom of the page. */
  readonly y: number;
  /** Of its tallest letters' font. */
  readonly height: number;
  /** Name of the font in the file; null for a line in several. */
  readonly font: string | null;
}

/** Characters that tokenisers cannot read, and that are invisible. */
const UNREADABLE = /\p{Surrogate}/gu;
const CONTROLS = /\p{Control}/gu;

/**
 * The lines of a page in the order of the file, which is nearly always the reading order, without blank ones.
 */
function linesOf(items: readonly (TextItem | TextMarkedContent)[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let open: { readonly item: number; readonly source: TextItem }[] = [];
  const close = () => {
    const line = lineOf(open);
    if (line) lines.push(line);
    open = [];
  };
  items.forEach((source, item) => {
    if (!('str' in source)) return;
    open.push({ item, source });
    if (source.hasEOL) close();
  });
  close();
  return lines;
}

function lineOf(parts: readonly { readonly item: number; readonly source: TextItem }[]): PdfLine | null {
  const shown = parts.filter(({ source }) => source.str.trim() !== '');
  const [first] = shown;
  if (!first) return null;
  const boxes = shown.map(({ source }) => {
    const [, , , , left = 0, y = 0] = source.transform.map(Number);
    return { left, y, right: left + source.width, height: source.height };
  });
  const items = parts.flatMap(({ item, source: { str } }) => (str === '' ? [] : [{ item, text: readable(str) }]));
  return {
    items,
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    y: boxes[0]?.y ?? 0,
    height: Math.max(...boxes.map(({ height }) => height)),
    font: shown.every(({ source }) => source.fontName === first.source.fontName) ? first.source.fontName : null,
  };
}

function readable(text: string): string {
  return text.replaceAll(UNREADABLE, '\uFFFD').replaceAll(CONTROLS, ' ');
}

function lineText({ items }: Pick<PdfLine, 'items'>): string {
  return items.map(({ text }) => text).join('');
}
