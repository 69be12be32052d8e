import { type Line, textOf } from './lines.ts';

/** A line and the page that it stands on. */
export interface PlacedLine {
  readonly line: Line;
  readonly page: number;
}

/** What most lines of a document are like; lengths in units of the page. */
export interface Habits {
  /** Where most lines begin. */
  readonly left: number;
  /** Of a full line. */
  readonly width: number;
  /** Words that stand within lines, in small letters, with the hyphens inside them. */
  readonly words: ReadonlySet<string>;
  /** From a line's baseline to that of the next one in the same paragraph, for letters of its size. */
  distanceFor(line: Line): number;
}

/** Lines of a paragraph are no further apart than so many heights of their letters, however few paragraphs have two. */
const FAR = 1.4;

/** Looks at all lines of a document. */
export function habitsOf(lines: readonly PlacedLine[]): Habits {
  const left = shareAt(
    lines.map(({ line }) => line.left),
    0.5,
  );
  const ratio = Math.min(FAR, shareAt(distancesOf(lines), 0.25));
  return {
    left,
    width: shareAt(
      lines.map(({ line }) => line.right - left),
      0.9,
    ),
    words: new Set(
      lines.flatMap(
        ({ line }) =>
          textOf(line)
            .toLowerCase()
            .match(/\p{L}+(?:-\p{L}+)*/gu) ?? [],
      ),
    ),
    distanceFor: ({ height }) => height * ratio,
  };
}

/** Lines one below the other, on one page. */
export function isBelow(upper: PlacedLine, lower: PlacedLine): boolean {
  return upper.page === lower.page && lower.line.y < upper.line.y;
}

/** Of each two lines below each other, in heights of their letters. */
function distancesOf(lines: readonly PlacedLine[]): number[] {
  return lines.flatMap((upper, index) => {
    const lower = lines[index + 1];
    if (!lower || !isBelow(upper, lower) || upper.line.height <= 0) return [];
    return [(upper.line.y - lower.line.y) / upper.line.height];
  });
}

/** The value below which this share of them lies; 0 … 1, of none infinity. */
function shareAt(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
}
