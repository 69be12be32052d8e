import type { TextPlace } from './text-frame.ts';

/** A line of a page, read along `angle`; lengths are in units of the page, a 72nd of an inch. */
export interface PdfLine extends TextPlace {
  /** Texts are well-formed, without control characters. Items by their index on the page; null for a space between two. */
  readonly parts: readonly LinePart[];
  readonly right: number;
  /** Of its tallest letters' font. */
  readonly height: number;
  /** Name of the font in the file; null for a line in several. */
  readonly font: string | null;
  /** Ends of the column that it was found in; null for a line of a page without columns side by side. */
  readonly column: { readonly left: number; readonly width: number } | null;
}

/** Name of the font of what annotations draw. */
export const ANNOTATION_FONT = 'annotation';

/** Part of a line: text of an item, or what is put between two. */
export interface LinePart {
  readonly item: number | null;
  /** Offset in the item's own text. */
  readonly from: number;
  readonly text: string;
}

/** An item of a page with its place. */
export interface TextRun extends TextPlace {
  readonly item: number;
  /** Well-formed, without control characters, as long as the item's own text. */
  readonly text: string;
  readonly isBlank: boolean;
  /** Has letters of a script that is written so. */
  readonly isRightToLeft: boolean;
  readonly right: number;
  readonly height: number;
  readonly font: string;
}

/** Runs next to each other on one line, with no gap that could part two columns. */
export interface Segment extends TextPlace {
  readonly runs: readonly TextRun[];
  readonly right: number;
  readonly height: number;
}

/** Segments that follow each other on one line. */
export type Row = readonly Segment[];

/** Text of a line as the file has it, with the spaces between its pieces. */
export function lineText({ parts }: Pick<PdfLine, 'parts'>): string {
  const [first] = parts;
  return first && parts.length === 1 ? first.text : parts.map(({ text }) => text).join('');
}
