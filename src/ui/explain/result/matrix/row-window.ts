import { useState, type UIEvent } from 'react';

/** Height of a row in rem; `token-matrix.module.css` gives it to each row. */
const ROW_REM = 2;
/** Space between two rows, pixels. */
const SPACING = 2;
/** Rows drawn beyond those in sight, so that the arrow keys and short scrolls find them there. */
const BEYOND = 6;
/** Rows in sight before the first scroll: as many as fit the container on a tall screen. */
const FIRST_SIGHT = 30;

/** Rows from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** A row that is drawn, and how many before it are not. */
export interface DrawnRow {
  readonly index: number;
  readonly skipped: number;
}

/**
 * The rows of a list that are drawn: those in the range, and one more that must not disappear because it has the focus or
 * is where the Tab key stops.
 *
 * @param count  rows in the list
 * @param kept   index of that row; −1 for none
 * @returns      in order; whatever is skipped behind the last one is not told
 */
export function drawnRows(count: number, { first, end }: RowRange, kept: number): DrawnRow[] {
  const from = Math.max(0, Math.min(first, count));
  const inSight = Array.from({ length: Math.max(0, Math.min(end, count) - from) }, (_, i) => from + i);
  const isApart = kept >= 0 && kept < count && !inSight.includes(kept);
  const indices = isApart ? [...inSight, kept].sort((a, b) => a - b) : inSight;
  return indices.map((index, i) => ({ index, skipped: index - (indices[i - 1] ?? -1) - 1 }));
}

/** Rows behind the last one that is drawn. */
export function skippedBehind(count: number, drawn: readonly DrawnRow[]): number {
  return count - 1 - (drawn.at(-1)?.index ?? -1);
}

/** Height of so many rows that are not drawn, for the style of the row in their place. */
export function heightOfRows(count: number): string {
  return `calc(${count * ROW_REM}rem + ${(count - 1) * SPACING}px)`;
}

/** The rows of a scrolled container that are in sight, with some beyond, and the handler that follows its scrolling. */
export function useRowWindow(): { readonly range: RowRange; readonly onScroll: (event: UIEvent<Element>) => void } {
  const [range, setRange] = useState<RowRange>({ first: 0, end: FIRST_SIGHT });
  const onScroll = ({ currentTarget: { scrollTop, clientHeight } }: UIEvent<Element>) => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const next = rangeAt(scrollTop, clientHeight, ROW_REM * rem + SPACING);
    setRange((last) => (last.first === next.first && last.end === next.end ? last : next));
  };
  return { range, onScroll };
}

/** @param pitch pixels from one row to the next */
export function rangeAt(scrolled: number, height: number, pitch: number): RowRange {
  const first = Math.floor(scrolled / pitch);
  return { first: Math.max(0, first - BEYOND), end: first + Math.ceil(height / pitch) + BEYOND };
}
