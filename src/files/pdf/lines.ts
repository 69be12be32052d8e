import type { TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.d.ts';

/** A text item of a page, as pdf.js counts and cuts them. */
export interface LineItem {
  readonly item: number;
  /** Well-formed, without control characters; as long as the item's own text. */
  readonly text: string;
}

/** A line of a page; lengths are in units of the page, a 72nd of an inch. */
export interface Line {
  readonly items: readonly LineItem[];
  /** Left and right end. */
  readonly left: number;
  readonly right: number;
  /** Of the baseline, from the bottom of the page. */
  readonly y: number;
  /** Of its tallest letters' font. */
  readonly height: number;
  /** Name of the font, as the file has it; null for a line in several. */
  readonly font: string | null;
}

/** What no tokeniser can read, and what only ends or hides in a line. */
const UNREADABLE = /\p{Surrogate}/gu;
const CONTROLS = /\p{Control}/gu;

/**
 * The lines of a page in the order in which the file has them, which is the order of reading in all but rare files. Blank
 * ones are left out.
 */
export function linesOf(items: readonly (TextItem | TextMarkedContent)[]): Line[] {
  const lines: Line[] = [];
  let open: { readonly item: number; readonly source: TextItem }[] = [];
  const close = () => {
    const line = lineOf(open);
    if (line) lines.push(line);
    open = [];
  };
  items.forEach((source, item) => {
    if (!('str' in source)) return;
    open.push({ item, source });
    if (source.hasEOL) close();
  });
  close();
  return lines;
}

function lineOf(parts: readonly { readonly item: number; readonly source: TextItem }[]): Line | null {
  const shown = parts.filter(({ source }) => source.str.trim() !== '');
  const [first] = shown;
  if (!first) return null;
  const boxes = shown.map(({ source }) => {
    const [, , , , left = 0, y = 0] = source.transform.map(Number);
    return { left, y, right: left + source.width, height: source.height };
  });
  return {
    items: parts
      .filter(({ source }) => source.str !== '')
      .map(({ item, source }) => ({ item, text: readable(source.str) })),
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    y: boxes[0]?.y ?? 0,
    height: Math.max(...boxes.map(({ height }) => height)),
    font: shown.every(({ source }) => source.fontName === first.source.fontName) ? first.source.fontName : null,
  };
}

function readable(text: string): string {
  return text.replaceAll(UNREADABLE, '\uFFFD').replaceAll(CONTROLS, ' ');
}

/** The line as a text. */
export function textOf({ items }: Pick<Line, 'items'>): string {
  return items.map(({ text }) => text).join('');
}
