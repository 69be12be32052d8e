import { codePointMap } from '../../../contract/code-points.ts';
import type { Stretch } from '../influence.ts';

/** A stretch of a running text; `section` is null for text between sections, such as spaces. */
export interface Piece {
  /** UTF-16 offset in the text; unique among the pieces. */
  readonly at: number;
  readonly text: string;
  readonly section: Stretch | null;
}

/**
 * Cuts `text` into pieces that join to the very same text. Where sections share characters (the bytes of one emoji),
 * the first one shows them.
 *
 * @param sections  sorted by start, spans in code points of `text`
 */
export function runningText(text: string, sections: readonly Stretch[]): Piece[] {
  const map = codePointMap(text);
  const pieces: Piece[] = [];
  let at = 0;
  const push = (end: number, section: Stretch | null) => {
    if (end <= at) return;
    pieces.push({ at, text: text.slice(at, end), section });
    at = end;
  };
  for (const section of sections) {
    const { start, length } = map.toUtf16(section);
    push(start, null);
    push(start + length, section);
  }
  push(text.length, null);
  return pieces;
}
