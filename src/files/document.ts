import type { Span } from '../contract/code-points.ts';
import type { TextBlock } from '../protocol/document-jobs.ts';

/** Kinds of file that are read as texts. */
export type FileKind = 'pdf' | 'word' | 'markdown' | 'text';

/** What a menu of files offers, and a drop takes. */
export const ACCEPTED_FILES = '.pdf,.docx,.md,.markdown,.txt,.text';

/** A file as a text, and where each stretch of it stands in the file. */
export interface ReadDocument {
  readonly name: string;
  readonly kind: FileKind;
  /** Well-formed, never blank. Paragraphs are separated by blank lines; lines of a PDF's paragraph are joined. */
  readonly text: string;
  readonly layout: Layout;
}

/** How a file is read. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Parts of the file that are read: pages of a PDF. The other kinds are read in one go and say nothing. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** How a document looks: as pages that are drawn from the file, or as blocks of its text. */
export type Layout = PagesLayout | BlocksLayout;

/** A paragraph, heading, table or the like. */
export type Block = TextBlock;

/** The blocks of a text in order; together they hold all of it but white space between them. */
export interface BlocksLayout {
  readonly type: 'blocks';
  readonly blocks: readonly Block[];
}

/** Pages of a PDF. */
export interface PagesLayout {
  readonly type: 'pages';
  /** In order; the span of a page without text is empty. */
  readonly pages: readonly PageSpan[];
  /** In the order of the text. Page numbers and running heads belong to no piece: they are drawn, and not read. */
  readonly pieces: readonly PagePiece[];
}

/** The text of a page, and how large it is in 72nds of an inch. */
export interface PageSpan extends Span {
  readonly width: number;
  readonly height: number;
}

/** A stretch of the text that one text item of a page shows, UTF-16 units. */
export interface PagePiece extends Span {
  /** Index of the page. */
  readonly page: number;
  /** Index of the item on its page, as pdf.js counts them. */
  readonly item: number;
  /** Where the stretch begins in the item's own text. */
  readonly from: number;
}

/** A part of a text item of a page. */
export interface ItemPart {
  readonly item: number;
  readonly from: number;
  readonly length: number;
}

/** Index of the page that a position of the text stands on; of white space between two pages, the one before it. */
export function pageAt({ pages }: PagesLayout, position: number): number {
  return Math.max(
    0,
    pages.findLastIndex(({ start, length }) => length > 0 && start <= position),
  );
}

/** What to mark on a page to mark a span of the text. */
export function partsOn({ pieces }: PagesLayout, page: number, span: Span): ItemPart[] {
  return pieces.flatMap((piece) => {
    if (piece.page !== page) return [];
    const start = Math.max(piece.start, span.start);
    const end = Math.min(piece.start + piece.length, span.start + span.length);
    return start < end ? [{ item: piece.item, from: piece.from + start - piece.start, length: end - start }] : [];
  });
}
