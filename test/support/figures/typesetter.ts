import { isRtlParagraph, type Typesetter } from '../../../src/figures/drawing/figure.ts';
import { type ParagraphPart, paragraphsOf } from '../../../src/figures/drawing/typesetter.ts';

type TextLine = ReturnType<Typesetter['lay']>[number];
type Fragment = TextLine['fragments'][number];

/** Width of every character, in font sizes. */
const ADVANCE = 0.5;

/** A typesetter that counts: each UTF-16 unit is half as wide as the font is high, and lines break between characters. */
export const countingTypesetter: Typesetter = {
  width: (text, { size }) => text.length * size * ADVANCE,
  baseline: ({ leading }) => 0.75 * leading,
  lay(pieces, { size }, width) {
    const room = Math.max(1, Math.floor(width / (size * ADVANCE)));
    return paragraphsOf(pieces).flatMap((parts) => linesOf(parts, room, size * ADVANCE));
  },
};

function linesOf(parts: readonly ParagraphPart[], room: number, advance: number): TextLine[] {
  const isRtl = isRtlParagraph(parts.map(({ text }) => text).join(''));
  const lines: Fragment[][] = [[]];
  let at = 0;
  for (const { piece, text } of parts) {
    for (let from = 0; from < text.length;) {
      if (at === room) [at] = [0, lines.push([])];
      const part = text.slice(from, from + room - at);
      lines.at(-1)?.push({ piece, text: part, left: at * advance, width: part.length * advance, isRtl });
      from += part.length;
      at += part.length;
    }
  }
  return lines.map((fragments) => ({ isRtl, fragments }));
}
