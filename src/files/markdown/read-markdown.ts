import type { MarkedToken, Token } from 'marked';
import type { Span } from '../../contract/code-points.ts';
import { tableOf } from '../../contract/wire/table-text.ts';
import type { Block, ReadDocument } from '../document.ts';
import { decodeText, readPlainText } from '../plain-text.ts';
import { inlineText } from './inline-text.ts';
import { markdownTokens } from './markdown-tokens.ts';

/** Stands between two blocks. */
const BLANK_LINE = '\n\n';

/**
 * A text in Markdown without its marks, block by block, so that neither a model nor a search meets them. What is nested
 * too deeply to be parsed is read as it is written.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are no text
 */
export function readMarkdown(bytes: Uint8Array<ArrayBuffer>): Pick<ReadDocument, 'text' | 'layout'> {
  const tokens = markdownTokens(withoutFrontMatter(decodeText(bytes)));
  if (tokens === null) return readPlainText(bytes);
  const pieces = piecesOf(tokens, { kind: 'paragraph', depth: 0 }).filter(({ text }) => text.trim() !== '');
  const blocks: Block[] = [];
  let end = -BLANK_LINE.length;
  for (const { text, rows, ...block } of pieces) {
    const start = end + BLANK_LINE.length;
    const placed = rows?.map((cells) => cells.map((cell) => ({ ...cell, start: start + cell.start })));
    blocks.push({ ...block, start, length: text.length, ...(placed && { rows: placed }) });
    end = start + text.length;
  }
  return { text: pieces.map(({ text }) => text).join(BLANK_LINE), layout: { type: 'blocks', blocks } };
}

/** Site generators put settings before a text. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n(?:.*\n){0,100}?---\n/, '');
}

/** A block before it has its place. */
interface Piece extends Omit<Block, 'start' | 'length'> {
  readonly text: string;
  readonly rows?: readonly (readonly Span[])[];
}

/** What a paragraph is where it stands. */
interface Around {
  readonly kind: 'paragraph' | 'quote';
  /** How many lists are around it. */
  readonly depth: number;
}

function piecesOf(tokens: readonly Token[], around: Around): Piece[] {
  // No extension adds other tokens.
  return tokens.flatMap((token) => pieceOf(token as MarkedToken, around));
}

function pieceOf(token: MarkedToken, around: Around): Piece[] {
  switch (token.type) {
    case 'heading':
      return [{ kind: 'heading', level: token.depth, text: inlineText(token.tokens) }];
    case 'paragraph':
      return [{ kind: around.kind, text: inlineText(token.tokens) }];
    case 'text':
      return [{ kind: around.kind, text: token.tokens ? inlineText(token.tokens) : token.text }];
    case 'code':
      return [{ kind: 'code', text: token.text }];
    case 'blockquote':
      return piecesOf(token.tokens, { ...around, kind: 'quote' });
    case 'list':
      return token.items.flatMap(({ tokens }, index) =>
        itemPieces(tokens, around, token.ordered ? (Number(token.start) || 1) + index : undefined),
      );
    case 'table': {
      const cells = [token.header, ...token.rows].map((row) => row.map(({ tokens }) => inlineText(tokens)));
      const { text, cells: rows } = tableOf(cells);
      return [{ kind: 'table', text, rows }];
    }
    default:
      return []; // rules, definitions, space, HTML: nothing that is read
  }
}

/** An entry's own text, then what it holds besides, one level deeper. */
function itemPieces(tokens: readonly Token[], around: Around, ordinal: number | undefined): Piece[] {
  const inner = piecesOf(tokens, { ...around, depth: around.depth + 1 });
  const [first, ...rest] = inner;
  if (!first || first.kind !== around.kind) return inner;
  const item: Piece = {
    kind: 'item',
    level: around.depth,
    text: first.text,
    ...(ordinal !== undefined && { ordinal }),
  };
  return [item, ...rest];
}
