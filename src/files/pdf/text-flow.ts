import type { Span } from '../../contract/code-points.ts';
import type { PagePiece } from '../document.ts';
import { type Line, textOf } from './lines.ts';
import { type Joint, jointsOf } from './paragraphs.ts';

/** A text, and the pieces of pages that it is made of. */
export interface TextFlow {
  readonly text: string;
  readonly pieces: readonly PagePiece[];
  /** The text of each page. */
  readonly pages: readonly Span[];
}

/** What stands between two lines. */
const BETWEEN: Readonly<Record<Joint, string>> = { paragraph: '\n\n', space: ' ', nothing: '', hyphen: '' };

/**
 * The lines of all pages as one text: a paragraph's lines in one, a word that was cut at the end of a line whole, blank
 * lines between paragraphs.
 */
export function flowOf(pages: readonly (readonly Line[])[]): TextFlow {
  const lines = pages.flatMap((lines, page) => lines.map((line) => ({ line, page })));
  const joints = jointsOf(lines);
  const pieces: PagePiece[] = [];
  const texts: string[] = [];
  let length = 0;
  const add = (text: string) => {
    texts.push(text);
    length += text.length;
  };
  lines.forEach(({ line, page }, index) => {
    const joint = joints[index] ?? 'paragraph';
    for (const { item, from, text } of trimmed(line, joint === 'hyphen')) {
      pieces.push({ start: length, length: text.length, page, item, from });
      add(text);
    }
    if (index < lines.length - 1) add(BETWEEN[joint]);
  });
  return { text: texts.join(''), pieces, pages: pages.map((_, page) => spanOf(pieces, page)) };
}

/** The items of a line without the white space at its ends, and without the hyphen that cuts its last word. */
function trimmed(line: Line, dropsHyphen: boolean): { item: number; from: number; text: string }[] {
  const whole = textOf(line);
  const start = whole.length - whole.trimStart().length;
  const end = whole.trimEnd().length - Number(dropsHyphen);
  let at = 0;
  return line.items.flatMap(({ item, text }) => {
    const from = Math.max(0, start - at);
    const to = Math.min(text.length, end - at);
    at += text.length;
    return from < to ? [{ item, from, text: text.slice(from, to) }] : [];
  });
}

function spanOf(pieces: readonly PagePiece[], page: number): Span {
  const own = pieces.filter((piece) => piece.page === page);
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last) return { start: 0, length: 0 };
  return { start: first.start, length: last.start + last.length - first.start };
}
