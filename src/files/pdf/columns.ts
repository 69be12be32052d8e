import type { PdfLine, Row, Segment } from './line-parts.ts';

/** Rows in reading order, of a column or of the whole width of a page. */
interface Block {
  readonly rows: readonly Row[];
  readonly column: PdfLine['column'];
}

/** Segments above each other. */
interface Column {
  left: number;
  right: number;
  readonly segments: Segment[];
}

/** More columns than this are a table. */
const MAX_COLUMNS = 6;

/** Columns are at least this many heights of letters apart, and their rows at most so many below each other. */
const [GUTTER, FAR] = [0.5, 4];

/**
 * Parts rows into blocks, in reading order. Where a file draws columns of prose line by line, each column is a block. A table
 * remains row by row: its cells do not fill their column and do not continue each other.
 *
 * @param rows  in the order of the file
 */
export function columnsOf(rows: readonly Row[]): Block[] {
  const blocks: Block[] = [];
  let from = 0; // of the rows that are in no block
  for (let start = 0; start < rows.length;) {
    const { columns, end } = columnsFrom(rows, start);
    if (isProse(columns)) {
      if (from < start) blocks.push({ rows: rows.slice(from, start), column: null });
      blocks.push(...columns.toSorted((a, b) => a.left - b.left).map(blockOf));
      from = end;
    }
    start = end;
  }
  return from < rows.length ? [...blocks, { rows: rows.slice(from), column: null }] : blocks;
}

function blockOf({ left, right, segments }: Column): Block {
  return { rows: segments.map((segment) => [segment]), column: { left, width: right - left } };
}

/** The columns that begin with a row, up to the first row that is across two of them; a row of one segment has one. */
function columnsFrom(rows: readonly Row[], start: number) {
  const columns: Column[] = [];
  let end = start;
  for (; end < rows.length; end++) {
    const row = rows[end] ?? [];
    const isFirst = end === start;
    if (!isFirst && (!isBelow(rows[end - 1], row) || !fits(columns, row))) break;
    for (const segment of row) put(columns, segment);
    if (columns.length > MAX_COLUMNS) return { columns: [], end: end + 1 };
    // Rows of one piece begin no columns, unless the next one is beside them.
    if (columns.length === 1 && !(isFirst && isBeside(row, rows[end + 1]))) return { columns, end: end + 1 };
  }
  return { columns, end };
}

function isBelow(upper: Row | undefined, lower: Row): boolean {
  const [above, below] = [upper?.[0], lower[0]];
  if (!above || !below || above.angle !== below.angle) return false;
  const height = Math.max(above.height, below.height);
  const distance = above.y - below.y;
  return distance > -height / 2 && distance < FAR * height;
}

function isBeside(row: Row, next: Row | undefined): boolean {
  const [one, other] = [row[0], next?.[0]];
  return one !== undefined && other !== undefined && !touches(one, other) && isBelow(row, [other]);
}

function touches(one: Pick<Column, 'left' | 'right'>, { left, right, height }: Segment): boolean {
  return left < one.right + GUTTER * height && right > one.left - GUTTER * height;
}

/** Whether no segment of a row is across two columns. */
function fits(columns: readonly Column[], row: Row): boolean {
  return row.every((segment) => columns.filter((column) => touches(column, segment)).length < 2);
}

function put(columns: Column[], segment: Segment): void {
  const column = columns.find((each) => touches(each, segment));
  if (!column) {
    columns.push({ left: segment.left, right: segment.right, segments: [segment] });
    return;
  }
  column.left = Math.min(column.left, segment.left);
  column.right = Math.max(column.right, segment.right);
  column.segments.push(segment);
}

/** Fewest lines, and mean number of words in them, of a column of prose. */
const [MIN_LINES, MIN_WORDS] = [3, 3];

/** Lines of prose have at least this share of the width of their column, and this share of the lines has it. */
const [FULL, MOST] = [0.6, 0.6];

/** Whether columns hold sentences that go on from line to line: all of them but one that may be short. */
function isProse(columns: readonly Column[]): boolean {
  if (columns.length < 2) return false;
  const prose = columns.filter(isFilled).map(({ segments }) => continuationsOf(segments));
  if (prose.length < Math.max(2, columns.length - 1) || prose.some(({ going }) => going === 0)) return false;
  return sum(prose.map(({ going }) => going)) >= sum(prose.map(({ cut }) => cut));
}

function isFilled({ left, right, segments }: Column): boolean {
  const words = segments.map((segment) => textOf(segment).split(/\s+/).length);
  const full = segments.slice(0, -1).filter((segment) => segment.right - segment.left >= FULL * (right - left));
  const isLong = segments.length >= MIN_LINES && sum(words) >= MIN_WORDS * segments.length;
  return isLong && full.length >= MOST * (segments.length - 1);
}

/** How many lines go on in lower case in the next, and how many are cut before a capital or a number. */
function continuationsOf(segments: readonly Segment[]) {
  const counts = { going: 0, cut: 0 };
  segments.forEach((segment, index) => {
    const [text, next] = [textOf(segment), segments[index + 1]];
    if (!next || /[.!?:;]["'”’»)\]]*$/.test(text)) return;
    if (/^[\p{Ll}(]/u.test(textOf(next))) counts.going++;
    else counts.cut++;
  });
  return counts;
}

function textOf({ runs }: Segment): string {
  return runs
    .map(({ text }) => text)
    .join('')
    .trim();
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
