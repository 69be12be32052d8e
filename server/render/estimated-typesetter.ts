import { graphemesOf } from '../../src/explanations/segmentation.ts';
import { type Face, isRtlParagraph, type Typesetter } from '../../src/figures/drawing/figure.ts';
import { hasRtl } from '../../src/figures/texts.ts';
import { type ParagraphPart, paragraphsOf } from '../../src/figures/drawing/typesetter.ts';

type TextLine = ReturnType<Typesetter['lay']>[number];

/** Widths of characters in font sizes, about those of Liberation Serif; the first that matches. */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/^[\p{M}\p{Cf}]/u, 0],
  [/^(?:[ .,:;'!|()[\]{}`I/\\-]|[fij]|[lrt])/u, 0.31],
  [/^[mwMW@%&—…]/u, 0.85],
  [/^[A-Z\p{Lu}]/u, 0.7],
  [/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF00-\uFF60]/u, 1],
];

/** Of all other characters; and what wider fonts of the same families need. */
const [OTHERS, ROOM] = [0.5, 1.06];

/** Sans-serif and bold letters are wider than those of the table, in its units. */
function widthOf(grapheme: string, { size, family, weight }: Face): number {
  const width = WIDTHS.find(([characters]) => characters.test(grapheme))?.[1] ?? OTHERS;
  return width * size * ROOM * (family === 'sans' ? 1.08 : 1) * (weight === 600 ? 1.06 : 1);
}

/** A typesetter without fonts: it knows about how wide letters are. Lines end between words, or anywhere in a long one. */
export const estimatedTypesetter: Typesetter = {
  width: (text, face) => graphemesOf(text).reduce((sum, grapheme) => sum + widthOf(grapheme, face), 0),
  baseline: ({ size, leading }) => (leading - size) / 2 + 0.8 * size,
  lay: (pieces, face, width) => paragraphsOf(pieces).flatMap((parts) => linesOf(parts, face, width)),
};

interface Character {
  readonly piece: number;
  readonly text: string;
  readonly width: number;
}

function linesOf(parts: readonly ParagraphPart[], face: Face, width: number): TextLine[] {
  const isRtl = isRtlParagraph(parts.map(({ text }) => text).join(''));
  const characters = parts.flatMap(({ piece, text }) =>
    graphemesOf(text).map((grapheme): Character => ({ piece, text: grapheme, width: widthOf(grapheme, face) })),
  );
  return brokenAt(characters, width).map((line) => ({ isRtl, fragments: fragmentsOf(line, isRtl, width) }));
}

/** The characters of each line; white space may stand out at its end. */
function brokenAt(characters: readonly Character[], width: number): Character[][] {
  const lines: Character[][] = [];
  let line: Character[] = [];
  let right = 0;
  for (const character of characters) {
    if (right + character.width > width && character.text.trim() !== '' && line.length > 0) {
      const word = line.findLastIndex(({ text }) => text.trim() === '') + 1;
      lines.push(word > 0 ? line.slice(0, word) : line);
      line = word > 0 ? line.slice(word) : [];
      right = line.reduce((sum, one) => sum + one.width, 0);
    }
    line.push(character);
    right += character.width;
  }
  return [...lines, line];
}

/**
 * Where the parts of a line are: what runs against the line, such as a name in another script, is mirrored in itself.
 *
 * @source Unicode Standard Annex 9, with two levels
 */
function fragmentsOf(line: readonly Character[], isRtl: boolean, width: number): TextLine['fragments'] {
  const end = line.findLastIndex(({ text }) => text.trim() !== '') + 1;
  const fragments: { piece: number; text: string; left: number; width: number; isRtl: boolean }[] = [];
  let at = 0;
  for (const { characters, isAgainst } of runsOf(line.slice(0, end), isRtl)) {
    const right = at + characters.reduce((sum, one) => sum + one.width, 0);
    let from = at;
    let last: (typeof fragments)[number] | undefined;
    for (const { piece, text, width: own } of characters) {
      const left = isAgainst ? right - (from - at) - own : from;
      if (last?.piece === piece) {
        last.text += text;
        last.left = Math.min(last.left, left);
        last.width += own;
      } else fragments.push((last = { piece, text, left, width: own, isRtl: isRtl !== isAgainst }));
      from += own;
    }
    at = right;
  }
  return isRtl ? fragments.map((one) => ({ ...one, left: width - one.left - one.width })) : fragments;
}

/** Parts of a line that run with it or against it, in turn. What has no direction runs against it between two that do. */
function runsOf(line: readonly Character[], isRtl: boolean) {
  const directions = line.map(({ text }) => (hasRtl(text) ? 'rtl' : /[\p{L}\p{N}]/u.test(text) ? 'ltr' : null));
  const against = isRtl ? 'ltr' : 'rtl';
  const runs: { characters: Character[]; isAgainst: boolean }[] = [];
  for (const [at, character] of line.entries()) {
    const before = directions.slice(0, at + 1).findLast((one) => one !== null);
    const after = directions.slice(at).find((one) => one !== null);
    const isAgainst = before === against && after === against;
    const last = runs.at(-1);
    if (last?.isAgainst === isAgainst) last.characters.push(character);
    else runs.push({ characters: [character], isAgainst });
  }
  return runs;
}
