import { lineText, type PdfLine } from './line-parts.ts';

/** A page with its lines in reading order, and its ends in their frame: the y of its upper edge and of its lower one. */
export interface PageLines {
  readonly lines: readonly PdfLine[];
  edgesAt(angle: number): readonly [top: number, bottom: number];
}

/** Page numbers, and heads and feet that pages repeat. */
export interface RunningLines {
  /** Page numbers: they count up from page to page. */
  readonly numbers: ReadonlySet<PdfLine>;
  /** Repetitions of heads and feet. */
  readonly repeated: ReadonlySet<PdfLine>;
  /** The first of each head or foot: it is read once, apart from the text that it interrupts. */
  readonly kept: ReadonlySet<PdfLine>;
}

/** Lines at either end of a page that may be a running head or foot. */
const MARGIN_LINES = 3;

/** They are in this share of a page's height from either edge. */
const MARGIN = 0.2;

/** A line is one if it is at the same place of at least this many pages, and of at least this share. */
const MIN_PAGES = 3;
const MIN_SHARE = 0.4;

/** Baselines that differ by less are at the same place, in 72nds of an inch. */
const SAME_PLACE = 3;

/** Pages are copies of a form if at least this share of their lines differs in its numbers only, at the same place. */
const FORM = 0.6;

/** Pages of fewer lines are copies of a form only if some of their lines differ. */
const FEW_LINES = 3;

/** What a page is called, and what a page number says besides, in a few languages. */
const PAGE_NAMES = 'page seite pagina página strana side blatt pag'.split(' ');
const PAGE_WORDS = new Set([...PAGE_NAMES, ...'p s of von de sur di av z'.split(' ')]);

/** A line in the margin of a page. */
interface MarginLine {
  readonly line: PdfLine;
  /** Index of the page. */
  readonly page: number;
  /** From the edge of the page: 0 for the outermost. */
  readonly rank: number;
}

/** Lines at one place whose texts are equal, but for one number that grows with the pages. */
interface Group {
  readonly lines: MarginLine[];
  /** First number of what is nothing but a page number; null for other lines. */
  readonly firstNumber: number | null;
}

/** Finds page numbers, running heads and running feet, which would be in the middle of sentences. */
export function runningLines(pages: readonly PageLines[]): RunningLines {
  const [numbers, repeated, first] = [new Set<PdfLine>(), new Set<PdfLine>(), new Set<PdfLine>()];
  if (pages.length < 2) return { numbers, repeated, kept: first };
  const isForm = formPages(pages);
  const enough = Math.max(MIN_PAGES, pages.length * MIN_SHARE);
  for (const { lines, firstNumber } of groupsOf(pages)) {
    // Copies of a form have one head each, and numbers of their own.
    const own = lines.filter(({ page, rank }) => !isForm[page] || (firstNumber !== null && rank === 0));
    if (new Set(own.map(({ page }) => page)).size < enough && !isOnBoth(pages, own, firstNumber)) continue;
    for (const [index, { line }] of own.entries()) {
      if (firstNumber !== null) numbers.add(line);
      else if (index > 0) repeated.add(line);
      else first.add(line);
    }
  }
  return { numbers, repeated, kept: new Set([...first].filter((line) => !repeated.has(line))) };
}

/** Of two pages, outermost lines alone: equal heads, or the numbers 1 and 2. */
function isOnBoth(pages: readonly PageLines[], lines: readonly MarginLine[], firstNumber: number | null): boolean {
  const isOutermost = lines.length === 2 && lines.every(({ rank }) => rank === 0);
  return pages.length === 2 && isOutermost && (firstNumber === null || firstNumber === 1);
}

/** Whether each page is a copy of a form: its lines are those of other pages, but for their numbers. */
function formPages(pages: readonly PageLines[]): boolean[] {
  const [counts, equals] = [new Map<string, number>(), new Map<string, number>()];
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const { lines } of pages)
    for (const line of lines) {
      add(counts, `${placeIn(line)} ${literalsOf(line).join('#')}`);
      add(equals, `${placeIn(line)} ${lineText(line)}`);
    }
  return pages.map(({ lines }) => {
    const differing = lines.filter(
      (line) => equals.get(`${placeIn(line)} ${lineText(line)}`) === 1 && wordsOf(literalsOf(line)).length > 0,
    );
    if (differing.length === 0) return lines.length > FEW_LINES;
    const alike = differing.filter((line) => (counts.get(`${placeIn(line)} ${literalsOf(line).join('#')}`) ?? 0) > 1);
    return alike.length >= FORM * differing.length;
  });
}

function groupsOf(pages: readonly PageLines[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  pages.forEach((one, page) => {
    for (const { line, rank } of marginLines(one))
      for (const { key, firstNumber } of variantsOf(line, page)) {
        const group = groups.get(key) ?? { lines: [], firstNumber };
        groups.set(key, group);
        group.lines.push({ line, page, rank });
      }
  });
  return groups.values();
}

/** Lines near the upper and the lower edge of a page, with their ranks. */
function marginLines({ lines, edgesAt }: PageLines) {
  const angles = new Set(lines.map(({ angle }) => angle));
  const edges = new Map([...angles].map((angle) => [angle, edgesAt(angle)]));
  const depths = lines.map((line) => {
    const [top = 0, bottom = 0] = edges.get(line.angle) ?? [];
    return { line, depth: (top - line.y) / (top - bottom) };
  });
  const ordered = depths.toSorted((a, b) => a.depth - b.depth);
  const upper = ordered.slice(0, MARGIN_LINES).filter(({ depth }) => depth < MARGIN);
  const lower = ordered
    .toReversed()
    .slice(0, MARGIN_LINES)
    .filter(({ depth }) => depth > 1 - MARGIN);
  return [upper, lower].flatMap((edge) => edge.map(({ line }, rank) => ({ line, rank })));
}

/** The keys of a line: its text, and its text with each number in turn that may be that of a page counted from the first page. */
function variantsOf(line: PdfLine, page: number): { key: string; firstNumber: number | null }[] {
  const literals = literalsOf(line);
  const numbers = numbersOf(line);
  const words = wordsOf(literals);
  const isNumber = words.every((word) => PAGE_WORDS.has(word)) && !isYear(words, numbers);
  const keyOf = (values: readonly (number | string)[]) =>
    `${placeIn(line)} ${literals.map((literal, i) => `${literal}${values[i] ?? ''}`).join('')}`;
  const isOfPage = isNumber || words.some((word) => PAGE_NAMES.includes(word));
  const counted = numbers.flatMap((number, slot) => {
    const first = number - page;
    if (!isOfPage && first > 1) return []; // as of Invoice 4711, Invoice 4712
    const key = keyOf(numbers.map((value, i) => (i === slot ? `from ${first}` : value)));
    return [{ key, firstNumber: isNumber ? first : null }];
  });
  return numbers.length > 0 && isNumber ? counted : [{ key: keyOf(numbers), firstNumber: null }, ...counted];
}

/** Numbers of pages alone may be as high, but years count up, too. */
function isYear(words: readonly string[], [first = 0, ...others]: readonly number[]): boolean {
  return words.length === 0 && others.length === 0 && first >= 1900 && first <= 2100;
}

function placeIn({ angle, y }: PdfLine): string {
  return `${angle} ${Math.round(y / SAME_PLACE)}`;
}

const ROMAN = /^([^\p{L}]*)([ivxlcdm]+)([^\p{L}]*)$/iu;

/** The text of a line between its numbers; a Roman number counts as one where it is alone. */
function literalsOf(line: PdfLine): string[] {
  const text = lineText(line).trim();
  const [, before, roman, after] = ROMAN.exec(text) ?? [];
  if (roman !== undefined && romanValue(roman) > 0 && !/\d/.test(text)) return [before ?? '', after ?? ''];
  return text.split(/\d+/);
}

function numbersOf(line: PdfLine): number[] {
  const text = lineText(line);
  const digits = text.match(/\d+/g);
  if (digits) return digits.map(Number);
  const [, , roman] = ROMAN.exec(text.trim()) ?? [];
  const value = romanValue(roman ?? '');
  return value > 0 ? [value] : [];
}

const ROMAN_DIGITS: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** Value of a Roman number; 0 for what is none. */
function romanValue(text: string): number {
  const digits = [...text.toLowerCase()].map((digit) => ROMAN_DIGITS[digit] ?? 0);
  return digits.reduce((total, digit, i) => total + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0);
}

function wordsOf(literals: readonly string[]): string[] {
  return (
    literals
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}
