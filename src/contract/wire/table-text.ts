import type { Span } from '../code-points.ts';

/** Between the cells of a row. */
const BAR = ' | ';

/** A table as a text with a line for a row and ` | ` between cells, and the span of each cell in it, UTF-16 units. */
export function tableText(rows: readonly (readonly string[])[]): {
  readonly text: string;
  readonly cells: readonly (readonly Span[])[];
} {
  let end = 0;
  const cells = rows.map((row, y) =>
    row.map((cell, x) => {
      const start = x > 0 ? end + BAR.length : end + (y > 0 ? 1 : 0);
      end = start + cell.length;
      return { start, length: cell.length };
    }),
  );
  return { text: rows.map((row) => row.join(BAR)).join('\n'), cells };
}
