import type { Span } from '../contract/code-points.ts';
import type { UnreadFilePart } from '../contract/qa.ts';
import type { TextBlock } from '../protocol/jobs.ts';

/** Kinds of file that are read as texts. */
export type FileKind = 'pdf' | 'word' | 'markdown' | 'text';

/** Extensions for file dialogs and drops. */
export const ACCEPTED_FILES = '.pdf,.docx,.md,.markdown,.txt,.text';

/** A file as a text, and the place of each part of it in the file. */
export interface ReadDocument {
  readonly name: string;
  readonly kind: FileKind;
  /** Well-formed, never blank. Blank lines separate paragraphs; lines of a PDF's paragraph are joined. */
  readonly text: string;
  readonly layout: DocumentLayout;
  /** Parts of the file that `text` lacks; each kind once. */
  readonly unread: readonly UnreadFilePart[];
}

/** What the reader of one kind of file finds. */
export type FileContent = Pick<ReadDocument, 'text' | 'layout' | 'unread'>;

/** How a file is read. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Pages of a PDF that are read; no other kind reports progress. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** How a document is shown: as pages that are drawn from the file, or as blocks of its text. */
export type DocumentLayout = PagesLayout | BlocksLayout;

/** A paragraph, heading, table or the like. */
export type Block = TextBlock;

/** The blocks of a text in order; between them is only white space. */
export interface BlocksLayout {
  readonly type: 'blocks';
  readonly blocks: readonly Block[];
}

/** Pages of a PDF. */
export interface PagesLayout {
  readonly type: 'pages';
  /** In order; the span of a page without text is empty. */
  readonly pages: readonly PageSpan[];
  /** In the order of the text. Page numbers and repeated running heads belong to no piece: they are drawn, but not read. */
  readonly pieces: readonly PagePiece[];
}

/** The text of a page, and the size of the page in 72nds of an inch. */
export interface PageSpan extends Span {
  readonly width: number;
  readonly height: number;
}

/** Part of the text that one text item of a page shows, UTF-16 units. */
export interface PagePiece extends Span {
  /** Index of the page. */
  readonly page: number;
  /** Index of the item on its page, as `pageText` counts them. */
  readonly item: number;
  /** Offset of the part in the item's own text. */
  readonly from: number;
}

/** A part of a text item of a page. */
export interface PageItemPart {
  readonly item: number;
  readonly from: number;
  readonly length: number;
}

/** Index of the page of a position of the text; for white space between two pages, the one before it. */
export function pageAt({ pages }: PagesLayout, position: number): number {
  const index = pages.findLastIndex(({ start, length }) => length > 0 && start <= position);
  return Math.max(0, index);
}

/** The parts of a page's items that show a span of the text. */
export function partsOn({ pieces }: PagesLayout, page: number, span: Span): PageItemPart[] {
  return pieces.flatMap((piece) => {
    if (piece.page !== page) return [];
    const start = Math.max(piece.start, span.start);
    const end = Math.min(piece.start + piece.length, span.start + span.length);
    return start < end ? [{ item: piece.item, from: piece.from + start - piece.start, length: end - start }] : [];
  });
}

/** Why a file cannot be read; each problem has its own advice for the user. */
export type FileProblem =
  | 'unknown_kind' // neither PDF, Word, Markdown nor text
  | 'old_word' // a .doc file, or an encrypted .docx
  | 'encrypted' // a PDF that asks for a password, or is encrypted in a way that is not supported
  | 'damaged' // incomplete, or not of the kind of its name
  | 'no_text' // scanned: pictures of text, which are not read
  | 'no_font_tables' // a PDF whose only text is in fonts that name their characters in tables that are left out
  | 'overflow' // a PDF that unpacks to more than is read
  | 'too_slow' // a PDF whose pages take too long
  | 'empty'
  | 'too_large' // more bytes than are read
  | 'too_long' // more text than is read
  | 'unavailable' // the browser cannot read its bytes: a folder, or a deleted file
  | 'unread'; // a defect of Lightwell: the file may be valid

/** A file that cannot be read. `message` is for developers; the page has words for each code. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly problem: FileProblem;

  constructor(problem: FileProblem, detail: string, options?: ErrorOptions) {
    super(`${problem}: ${detail}`, options);
    this.problem = problem;
  }
}

/** Most UTF-16 units of a document: about 1,500 printed pages. */
const MAX_CHARACTERS = 5_000_000;

/** @throws {UnreadableFile} `too_long` */
export function checkLength({ length }: string): void {
  if (length > MAX_CHARACTERS) throw new UnreadableFile('too_long', `${length} characters`);
}

/** Lines of at least this length were wrapped at the width of a page, not at the end of a sentence. */
const BROKEN_AT = 50;

/**
 * The text of a document with wrapped paragraphs of a text file as one line each: otherwise each line would be a sentence.
 * It has the length of the text, so offsets are the same.
 */
export function joinLines({ kind, text, layout }: ReadDocument): string {
  if (kind !== 'text' || layout.type !== 'blocks') return text;
  let joined = '';
  for (const { start, length } of layout.blocks) {
    const lines = text.slice(start, start + length).split('\n');
    const isBroken = lines.length > 1 && lines.slice(0, -1).every((line) => line.trimEnd().length >= BROKEN_AT);
    joined += text.slice(joined.length, start) + lines.join(isBroken ? ' ' : '\n');
  }
  return joined + text.slice(joined.length);
}
