import { isLevel } from './label-values.ts';
import type { Row, Segment } from './line-parts.ts';

/** Baselines of a table's rows are often further apart than those of prose, in heights of letters. */
const LOOSE_ROWS = 1.7;

/** Rows are as far apart in at least this many lines, or it is chance. */
const MIN_LOOSE = 3;

/** Share of a column's cells that are figures, and of the first column's cells that have one beside them. */
const [MOST, MIN_FILLED] = [0.6, 0.5];

/** Columns are at least this many heights of letters apart. */
const GUTTER = 0.5;

/**
 * Rows with the cells of a table beside each other, though the file draws it column by column. Columns whose lines are level are a table
 * where one has figures, where its rows are far apart, or where the first column has a font of its own: addresses beside each other and
 * columns of prose have none of that.
 *
 * @param rows  in the order of the file
 */
export function withTables(rows: readonly Segment[][]): Segment[][] {
  const result: Segment[][] = [];
  for (let at = 0; at < rows.length;) {
    const column = columnFrom(rows, at);
    const second = rows[at + column.length]?.[0];
    const first = second ? column.findIndex((cell) => isLevel(cell, second)) : -1;
    const table = first < 0 ? null : tableFrom(rows, at + first, column.slice(first));
    const before = table ? first : Math.max(1, column.length);
    for (const row of [...rows.slice(at, at + before), ...(table?.rows ?? [])]) result.push(row);
    at += before + (table?.length ?? 0);
  }
  return result;
}

/** The lines below one another that begin with a row. */
function columnFrom(rows: readonly Row[], start: number): Segment[] {
  const column: Segment[] = [];
  for (let at = start; at < rows.length; at++) {
    const [cell, ...others] = rows[at] ?? [];
    const last = column.at(-1);
    if (!cell || others.length > 0) break;
    if (last && (last.angle !== cell.angle || last.y <= cell.y || isLevel(last, cell))) break;
    column.push(cell);
  }
  return column;
}

/** The table that begins with a column, and how many rows of the file it is. */
function tableFrom(rows: readonly Row[], start: number, labels: readonly Segment[]) {
  const columns: (readonly (Segment | undefined)[])[] = [labels];
  let [at, right] = [start + labels.length, Math.max(...labels.map((cell) => cell.right))];
  for (;;) {
    const next = columnFrom(rows, at);
    const below = next.findIndex((cell) => labels.every((label) => label.y > cell.y && !isLevel(label, cell)));
    const cells = below < 0 ? next : next.slice(0, below);
    const beside = labels.map((label) => cells.find((cell) => isLevel(label, cell)));
    const filled = beside.filter((cell) => cell !== undefined);
    const isColumn = filled.length === cells.length && filled.length >= Math.max(2, MIN_FILLED * labels.length);
    if (!isColumn || cells.some((cell) => cell.left < right + GUTTER * cell.height)) break;
    columns.push(beside);
    at += cells.length;
    right = Math.max(...cells.map((cell) => cell.right));
  }
  if (!isTable(columns)) return null;
  const joined = labels.map((_, row) => columns.flatMap((column) => column[row] ?? []));
  return { rows: joined, length: at - start };
}

function isTable([labels = [], ...others]: readonly (readonly (Segment | undefined)[])[]): boolean {
  const columns = [labels, ...others].map((column) => column.filter((cell) => cell !== undefined));
  const [first = [], ...values] = columns;
  const hasFigures = values.some((column) => shareOf(column.slice(1), isFigure) >= MOST);
  const isLoose = first.slice(1).every((cell, i) => (first[i]?.y ?? 0) - cell.y >= LOOSE_ROWS * cell.height);
  const fonts = columns.map((column) => new Set(column.map(fontOf)));
  const isNamed = fonts.slice(1).every((names) => names.size === 1 && !names.has(fontOf(first[0])));
  const hasLabelFont = fonts[0]?.size === 1 && isNamed;
  return values.length > 0 && (hasFigures || (isLoose && first.length >= MIN_LOOSE) || hasLabelFont);
}

function shareOf(column: readonly Segment[], is: (cell: Segment) => boolean): number {
  return column.length === 0 ? 0 : column.filter(is).length / column.length;
}

/** Digits with signs, and a short unit, currency or month. */
function isFigure({ runs }: Segment): boolean {
  const text = runs.map((run) => run.text).join('');
  return /\d/.test(text) && /^\P{L}*(?:\p{L}{1,4}\P{L}*)?$/u.test(text);
}

function fontOf(cell: Segment | undefined): string | undefined {
  return cell?.runs.find(({ isBlank }) => !isBlank)?.font;
}
