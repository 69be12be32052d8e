/** A font and the height of its lines. */
export interface Face {
  readonly family: 'serif' | 'sans';
  /** Points. */
  readonly size: number;
  readonly weight: 400 | 600;
  /** From one baseline to the next, points. */
  readonly leading: number;
}

/** Font families for style sheets and attributes: those of the page. */
export const FAMILIES: Readonly<Record<Face['family'], string>> = {
  serif:
    "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', Charter, Georgia, 'Liberation Serif', serif",
  sans: "-apple-system, 'Segoe UI', Roboto, Ubuntu, Cantarell, 'Noto Sans', 'Liberation Sans', system-ui, sans-serif",
};

/** A stretch of a line that runs in one direction. */
export interface Run {
  /** Whole graphemes. */
  readonly text: string;
  /** Points from the left edge of the text. */
  readonly left: number;
  readonly width: number;
  readonly isRtl: boolean;
}

/** A stretch of a line that comes from one piece of the text. */
export interface Fragment extends Run {
  /** Index of the piece. */
  readonly piece: number;
}

/** A line of laid out text. */
export interface Line {
  /** Whether its paragraph runs from right to left. */
  readonly isRtl: boolean;
  /** In the order of the text; empty for an empty line. White space at the end of the line is left out. */
  readonly fragments: readonly Fragment[];
}

/** Lays out text. The page's one asks the browser, which knows all scripts; tests have one that counts characters. */
export interface Typesetter {
  /** Width on a line of its own, points. */
  width(text: string, face: Face): number;
  /** From the top of a line to its baseline, points. */
  baseline(face: Face): number;
  /**
   * Lines of text that wraps between words, or anywhere in a word that is longer than a line. A line end in the text ends
   * a paragraph, and each paragraph has the direction of its first letter.
   *
   * @param pieces  join to the text
   * @param width   of the lines, points
   */
  lay(pieces: readonly string[], face: Face, width: number): readonly Line[];
}

/** Letters that are written from right to left. */
const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether any letter of a text is written from right to left. */
export function hasRtl(text: string): boolean {
  return RTL.test(text);
}

/** Whether a paragraph runs from right to left: as its first letter does. */
export function isRtlParagraph(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0];
  return first !== undefined && hasRtl(first);
}

/** A stretch of one paragraph, and the index of the piece that it comes from. */
export interface ParagraphPart {
  readonly piece: number;
  readonly text: string;
}

/** Pieces of a text, paragraph by paragraph, without the line ends between them. */
export function paragraphsOf(pieces: readonly string[]): ParagraphPart[][] {
  const paragraphs: ParagraphPart[][] = [[]];
  for (const [piece, text] of pieces.entries()) {
    for (const [index, part] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) paragraphs.push([]);
      if (part !== '') paragraphs.at(-1)?.push({ piece, text: part });
    }
  }
  return paragraphs;
}
