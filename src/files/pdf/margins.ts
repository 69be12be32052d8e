import { type Line, textOf } from './lines.ts';

/** So many lines at either end of a page may be a running head or foot. */
const MARGIN_LINES = 3;

/** A line that stands at the same end of at least so many pages, and of at least this share, is one. */
const LEAST_PAGES = 3;
const LEAST_SHARE = 0.4;

/** A page's number, alone or with what pages are called in a few languages. */
const PAGE_NUMBER = /^[-–—\s]*(?:(?:page|seite|p\.|s\.)\s*)?\d{1,4}(?:\s*(?:\/|of|von)\s*\d{1,4})?[-–—\s]*$/i;

/**
 * The lines of each page without running heads, running feet and page numbers: they stand between two halves of a sentence
 * and belong to neither.
 */
export function bodyLines(pages: readonly (readonly Line[])[]): Line[][] {
  const counts = new Map<string, number>();
  for (const lines of pages)
    for (const key of new Set(lines.flatMap((line, i) => keyOf(line, i, lines.length) ?? [])))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const enough = Math.max(LEAST_PAGES, pages.length * LEAST_SHARE);
  return pages.map((lines) =>
    lines.filter((line, i) => {
      const isOuter = lines.length > 1 && (i === 0 || i === lines.length - 1);
      if (isOuter && PAGE_NUMBER.test(textOf(line).trim())) return false;
      return (counts.get(keyOf(line, i, lines.length) ?? '') ?? 0) < enough;
    }),
  );
}

/** What a line at an end of its page shares with those of other pages: its place, and its text but for the numbers. */
function keyOf(line: Line, index: number, count: number): string | null {
  const isOuter = index < MARGIN_LINES || index >= count - MARGIN_LINES;
  return isOuter ? `${Math.round(line.y)} ${textOf(line).trim().replaceAll(/\d+/g, '#')}` : null;
}
