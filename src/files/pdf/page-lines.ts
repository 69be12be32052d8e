import type { TextItem } from 'pdfjs-dist/types/src/display/api.d.ts';
import { placeOf } from './text-frame.ts';
import { columnsOf } from './columns.ts';
import { withTables } from './column-tables.ts';
import type { LinePart, PdfLine, Row, TextRun, Segment } from './line-parts.ts';
import type { PageText } from './page-text.ts';
import { isLevel, withLabels } from './label-values.ts';
import { spacedParts } from './letter-spacing.ts';
import { SOFT_HYPHEN } from './guard/parser-guard.ts';
import { readingOrder } from './right-to-left.ts';

/** A gap of more heights of letters may part two columns; pdf.js takes a smaller one for a space. */
const WIDE_GAP = 0.6;

/** Text that starts again further left by this many heights of letters is another piece; accents go back by less. */
const BACKWARDS = 1.5;

/** So is text to the left of the last, as of scripts from right to left, with a gap of more heights of letters. */
const LEFT_GAP = 0.1;

/** Text drawn again within this many heights of letters of itself looks bold: it is read once. */
const DOUBLED = 0.2;

/**
 * The lines of a page in reading order: that of the file, which is nearly always right, with columns that the file draws line
 * by line one after the other, and what annotations draw at its place.
 *
 * @param drawn  text of the page by `drawnText`, if it may have words with letters set apart
 */
export function linesOf(
  { items, ownItems, styles }: Pick<PageText, 'items' | 'ownItems' | 'styles'>,
  drawn: string,
): PdfLine[] {
  const rows: Segment[][] = [];
  let open: TextRun[] = [];
  const close = () => {
    rows.push(...rowsOf(open));
    open = [];
  };
  for (const [item, source] of items.slice(0, ownItems).entries()) {
    if (source.str !== '') open.push(runOf(source, item, styles[source.fontName]?.vertical === true));
    if (source.hasEOL) close();
  }
  close();
  let added: Segment[] = [];
  for (const [i, source] of items.slice(ownItems).entries()) {
    added.push(segmentOf([runOf(source, ownItems + i, false)]));
    if (!source.hasEOL) continue;
    insert(rows, added);
    added = [];
  }
  return columnsOf(withTables(withLabels(rows))).flatMap(({ rows: ordered, column }) =>
    ordered.map((row) => lineOf(row, column, drawn)),
  );
}

function runOf({ str, dir, transform, width, height, fontName }: TextItem, item: number, isVertical: boolean): TextRun {
  const { angle, left, y } = placeOf(transform, isVertical);
  const [along, across] = isVertical ? [height, width] : [width, height];
  const text = readable(str);
  const isBlank = text.trim() === '';
  const isRightToLeft = dir === 'rtl';
  return { angle, left, y, item, text, isBlank, isRightToLeft, right: left + along, height: across, font: fontName };
}

/** The rows of a line as pdf.js finds it, which goes on where text turns or a form on the page begins; blank ones are left out. */
function rowsOf(runs: readonly TextRun[]): Segment[][] {
  const rows: TextRun[][][] = [];
  const drawn = new Set<string>();
  let last: TextRun | null = null; // the last that is not blank
  for (const run of runs) {
    const row = rows.at(-1);
    const cells = cellsOf(run);
    if (run.isBlank) row?.at(-1)?.push(run);
    else if (!row || !last || run.angle !== last.angle || isElsewhere(last, run)) {
      rows.push([[run]]);
      drawn.clear(); // rows below one another may have the same text at the same place
    } else if (cells.some((cell) => drawn.has(cell))) continue;
    else if (startsSegment(last, run)) row.push([run]);
    else row.at(-1)?.push(run);
    if (run.isBlank) continue;
    drawn.add(cells[1]);
    last = run;
  }
  return rows.map((row) => row.map(segmentOf));
}

/** Whether a run is above or below a line by more than its letters, further than what is raised. */
function isElsewhere(last: TextRun, run: TextRun): boolean {
  return Math.abs(run.y - last.y) > Math.max(last.height, run.height);
}

function startsSegment(last: TextRun, run: TextRun): boolean {
  const height = Math.max(last.height, run.height);
  const isFurtherLeft = last.left - run.left > BACKWARDS * height || last.left - run.right > LEFT_GAP * height;
  return run.left - last.right > WIDE_GAP * height || isFurtherLeft;
}

/** Names of the text at the places before, at and after its own, along its line. */
function cellsOf({ text, left, height }: TextRun): [before: string, own: string, after: string] {
  const cell = Math.round(left / Math.max(0.1, DOUBLED * height));
  return [`${cell - 1} ${text}`, `${cell} ${text}`, `${cell + 1} ${text}`];
}

function segmentOf(runs: readonly TextRun[]): Segment {
  const shown = runs.filter(({ isBlank }) => !isBlank);
  const { angle = 0, y = 0 } = shown[0] ?? {};
  return {
    runs,
    angle,
    y,
    left: Math.min(...shown.map(({ left }) => left)),
    right: Math.max(...shown.map(({ right }) => right)),
    height: Math.max(...shown.map(({ height }) => height)),
  };
}

/** Puts the lines that an annotation draws into the row of one of them, or below the nearest row above them. */
function insert(rows: Segment[][], lines: readonly Segment[]): void {
  const [first, ...others] = lines;
  if (!first) return;
  const near = rows.flatMap((row, index) => (row[0]?.angle === first.angle ? [{ row, index }] : []));
  const same = near.find(({ row }) => lines.some((line) => isLevel(row[0], line)));
  if (same) {
    const next = same.row.findIndex(({ left }) => left > first.left);
    same.row.splice(next < 0 ? same.row.length : next, 0, first);
    rows.splice(same.index + 1, 0, ...others.map((line) => [line]));
    return;
  }
  const above = near
    .filter(({ row }) => aboveOf(row, first) > 0)
    .toSorted((a, b) => aboveOf(a.row, first) - aboveOf(b.row, first));
  const at = above[0] ? above[0].index + 1 : (near[0]?.index ?? rows.length);
  rows.splice(at, 0, ...lines.map((line) => [line]));
}

/** How far a row is above a line; negative below. */
function aboveOf([first]: Row, line: Segment): number {
  return (first?.y ?? 0) - line.y;
}

function lineOf(row: Row, column: PdfLine['column'], drawn: string): PdfLine {
  const runs = row.flatMap((segment) => segment.runs);
  const fonts = new Set(runs.flatMap(({ isBlank, font }) => (isBlank ? [] : [font])));
  const [font = null] = fonts;
  return {
    parts: runs.some(({ isRightToLeft }) => isRightToLeft) ? rightToLeftParts(runs) : leftToRightParts(row, drawn),
    angle: row[0]?.angle ?? 0,
    left: Math.min(...row.map(({ left }) => left)),
    right: Math.max(...row.map(({ right }) => right)),
    y: row[0]?.y ?? 0,
    height: Math.max(...row.map(({ height }) => height)),
    font: fonts.size === 1 ? font : null,
    column,
  };
}

/** Signs that are to the right of a number in the drawing of a line from right to left, and before it in its text. */
const SIGNS = new Set('-+,.:/!?;');

/** Where a number is in a text without letters; all of a text without a number. */
function numberIn(text: string): { readonly from: number; readonly to: number } {
  let [from, to] = [0, text.length];
  while (from < to && SIGNS.has(text.charAt(from))) from++;
  while (to > from && SIGNS.has(text.charAt(to - 1))) to--;
  return from < to && !/\p{L}/u.test(text) ? { from, to } : { from: 0, to: text.length };
}

/** Items of a line with words from right to left. */
function rightToLeftParts(runs: readonly TextRun[]): LinePart[] {
  const { ordered, isRightToLeft } = readingOrder(runs);
  return ordered.flatMap((run, i) => {
    const before = ordered[i - 1];
    const { item, text } = run;
    const { from, to } = isRightToLeft ? numberIn(text) : { from: 0, to: text.length };
    const parts = [
      { item, from: to, text: text.slice(to) },
      ...shownParts({ ...run, text: text.slice(from, to) }, false).map((part) => ({ ...part, from: from + part.from })),
      { item, from: 0, text: text.slice(0, from) },
    ].filter((part) => part.text !== '');
    const gap = before ? Math.max(run.left - before.right, before.left - run.right) : 0;
    return before && !before.isBlank && !run.isBlank && gap > LEFT_GAP * run.height ? [SPACE, ...parts] : parts;
  });
}

const SPACE: LinePart = { item: null, from: 0, text: ' ' };

/** Before a raised number after a number: 10³ is not 103. */
const POWER: LinePart = { item: null, from: 0, text: '^' };

function leftToRightParts(row: Row, drawn: string): LinePart[] {
  const spaced = spacedParts(row, drawn);
  return row.flatMap((segment, index) => spaced.get(segment) ?? partsOf(segment, index, row));
}

/** Items of a segment, with a space before them where the file has none. */
function partsOf({ runs }: Segment, index: number, row: Row): LinePart[] {
  const end = row.at(-1)?.runs.findLast(({ isBlank }) => !isBlank);
  const parts = runs.flatMap((run, i) => [
    ...(isPower(runs[i - 1], run) ? [POWER] : []),
    ...shownParts(run, run === end),
  ]);
  const before = row[index - 1]?.runs.at(-1)?.text ?? ' ';
  const isParted = /\s$/.test(before) || /^\s/.test(parts[0]?.text ?? ' ');
  return isParted ? parts : [SPACE, ...parts];
}

/** Raised numbers are smaller than those before them, in shares of their height, and at least so much higher. */
const [SMALLER, RAISED] = [0.9, 0.15];

function isPower(before: TextRun | undefined, { text, height, y }: TextRun): boolean {
  if (!before || !/\d$/.test(before.text) || !/^\d/.test(text)) return false;
  return height < SMALLER * before.height && y - before.y > RAISED * before.height;
}

/** The text of an item without soft hyphens, but for one that ends a line. */
function shownParts({ item, text }: TextRun, endsLine: boolean): LinePart[] {
  let from = 0;
  return text.split(SOFT_HYPHEN).flatMap((shown, i, all) => {
    const isDivided = endsLine && i === all.length - 2 && all.at(-1)?.trim() === '';
    const part = { item, from, text: isDivided ? text.slice(from, from + shown.length + 1) : shown };
    from += shown.length + SOFT_HYPHEN.length;
    return part.text === '' ? [] : [part];
  });
}

/** Characters that tokenisers cannot read, and that are invisible. */
const UNREADABLE = /[\p{Surrogate}\p{Control}]/gu;

function readable(text: string): string {
  return text.replaceAll(UNREADABLE, (character) => (character < '\uD800' ? ' ' : '\uFFFD'));
}
