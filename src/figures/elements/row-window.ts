/** Height of a row in rem; `matrix.css` gives it to each row. */
const ROW_REM = 2;
/** Space between two rows, pixels. */
const SPACING = 2;
/** Rows drawn beyond the visible ones, for the arrow keys and short scrolls. */
const BEYOND = 6;

/** Rows from `first` up to, not including, `end`. */
interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Rows drawn before the first scroll: as many as fit the container on most screens. */
export const INITIAL_RANGE: RowRange = { first: 0, end: 24 };

/**
 * The rows of a list that are drawn, in order, and how many before each are not: those in the range, and one more that
 * must not disappear because it has the focus or is where the Tab key stops.
 *
 * @param count    rows in the list
 * @param reached  index of that row; −1 for none
 */
export function drawnRows(
  count: number,
  { first, end }: RowRange,
  reached: number,
): { index: number; skipped: number }[] {
  const from = Math.max(0, Math.min(first, count));
  const visible = Array.from({ length: Math.max(0, Math.min(end, count) - from) }, (_, i) => from + i);
  const isApart = reached >= 0 && reached < count && !visible.includes(reached);
  const indices = isApart ? [...visible, reached].sort((a, b) => a - b) : visible;
  return indices.map((index, i) => ({ index, skipped: index - (indices[i - 1] ?? -1) - 1 }));
}

/** Rows after the last one that is drawn. */
export function skippedAfter(count: number, drawn: readonly { readonly index: number }[]): number {
  return count - 1 - (drawn.at(-1)?.index ?? -1);
}

/** Height of `count` rows, for the style of the row that replaces them. */
export function heightOfRows(count: number): string {
  return `calc(${count * ROW_REM}rem + ${(count - 1) * SPACING}px)`;
}

/** Pixels from one row to the next. */
export function pitchOfRows(): number {
  return ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize) + SPACING;
}

/** The rows to draw. @param pitch  pixels from one row to the next */
export function rangeAt(scrolled: number, height: number, pitch: number): RowRange {
  const first = Math.floor(scrolled / pitch);
  return { first: Math.max(0, first - BEYOND), end: first + Math.ceil(height / pitch) + BEYOND };
}
