import { useMemo, useState, type UIEvent } from 'react';

/** Height of a row in rem; `token-matrix.module.css` gives it to each row. */
const ROW_REM = 2;
/** Space between two rows, pixels. */
const SPACING = 2;
/** Rows drawn beyond those in sight, so that the arrow keys and short scrolls find them there. */
const BEYOND = 6;
/** Rows drawn before the first scroll: as many as fit the container on most screens. */
const FIRST_SIGHT = 24;

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

/** The rows of a container that are in sight, with some beyond, and what the container takes to follow its scrolling and size. */
export function useRowWindow() {
  const [range, setRange] = useState<RowRange>({ first: 0, end: FIRST_SIGHT });
  const frame = useMemo(() => {
    const follow = ({ scrollTop, clientHeight }: Element) => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const next = rangeAt(scrollTop, clientHeight, ROW_REM * rem + SPACING);
      setRange((last) => (last.first === next.first && last.end === next.end ? last : next));
    };
    const ref = (element: Element | null) => {
      if (!element) return undefined;
      const observer = new ResizeObserver(() => follow(element));
      observer.observe(element);
      return () => observer.disconnect();
    };
    return { ref, onScroll: ({ currentTarget }: UIEvent<Element>) => follow(currentTarget) };
  }, []);
  return { range, frame };
}

/** @param pitch pixels from one row to the next */
export function rangeAt(scrolled: number, height: number, pitch: number): RowRange {
  const first = Math.floor(scrolled / pitch);
  return { first: Math.max(0, first - BEYOND), end: first + Math.ceil(height / pitch) + BEYOND };
}
