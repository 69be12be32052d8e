import { graphemesOf } from '../../../../state/explain/text/graphemes.ts';
import type { Piece } from '../../../../state/explain/text/running-text.ts';

/**
 * Pieces that begin and end between graphemes. A grapheme that several pieces share is shown by the first of them; a piece
 * that has none of its own is left out.
 *
 * @param pieces  join to a text
 */
export function wholePieces(pieces: readonly Piece[]): Piece[] {
  const text = pieces.map((piece) => piece.text).join('');
  const ends = graphemeEnds(text);
  let at = 0;
  let given = 0;
  return pieces.flatMap((piece) => {
    at += piece.text.length;
    const end = ends.find((one) => one >= at) ?? text.length;
    if (end <= given) return [];
    const whole = { ...piece, at: given, text: text.slice(given, end) };
    given = end;
    return [whole];
  });
}

function graphemeEnds(text: string): number[] {
  let end = 0;
  return graphemesOf(text).map((grapheme) => (end += grapheme.length));
}
