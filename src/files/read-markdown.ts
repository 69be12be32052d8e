import type { MarkedToken, Token } from 'marked';
import type { Span } from '../contract/code-points.ts';
import { tableText } from '../contract/wire/table-text.ts';
import type { Block, FileContent } from './document.ts';
import { decodeText, readPlainText } from './plain-text.ts';
import { markdownTokens } from './markdown-tokens.ts';

/** Between two blocks. */
const BLANK_LINE = '\n\n';

/**
 * A text in Markdown without its marks, block by block, so that neither a model nor a search sees them. A text that is
 * nested too deeply to be parsed is read as plain text.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are not text
 */
export function readMarkdown(bytes: Uint8Array<ArrayBuffer>): FileContent {
  const tokens = markdownTokens(withoutFrontMatter(decodeText(bytes)));
  if (tokens === null) return readPlainText(bytes);
  const pieces = piecesOf(tokens, { kind: 'paragraph', depth: 0 }).filter(({ text }) => text.trim() !== '');
  const blocks: Block[] = [];
  let end = -BLANK_LINE.length;
  for (const { text, rows, ...block } of pieces) {
    const start = end + BLANK_LINE.length;
    const moved = rows?.map((cells) => cells.map((cell) => ({ ...cell, start: start + cell.start })));
    blocks.push({ ...block, start, length: text.length, ...(moved && { rows: moved }) });
    end = start + text.length;
  }
  return { text: pieces.map(({ text }) => text).join(BLANK_LINE), layout: { type: 'blocks', blocks }, unread: [] };
}

/** Without the settings that site generators put before a text. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n(?:.*\n){0,100}?---\n/, '');
}

/** A block without its place. */
interface Piece extends Omit<Block, 'start' | 'length'> {
  readonly text: string;
  readonly rows?: readonly (readonly Span[])[];
}

/** The kind of paragraphs, and the number of lists around them. */
interface Around {
  readonly kind: 'paragraph' | 'quote';
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
      const { text, cells: rows } = tableText(cells);
      return [{ kind: 'table', text, rows }];
    }
    default:
      return []; // rules, definitions, space, HTML
  }
}

/** An entry's own text, then its other blocks, one level deeper. */
function itemPieces(tokens: readonly Token[], around: Around, ordinal: number | undefined): Piece[] {
  const inner = piecesOf(tokens, { ...around, depth: around.depth + 1 });
  const [first, ...rest] = inner;
  if (!first || first.kind !== around.kind) return inner;
  return [{ kind: 'item', level: around.depth, text: first.text, ...(ordinal !== undefined && { ordinal }) }, ...rest];
}

/** The character references of Markdown; any other does not change. */
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** A line of Markdown without marks and HTML: links as their text, pictures as their description. */
function inlineText(tokens: readonly Token[]): string {
  // No extension adds other tokens.
  return tokens.map((token) => textOf(token as MarkedToken)).join('');
}

function textOf(token: MarkedToken): string {
  switch (token.type) {
    case 'text':
      return token.tokens ? inlineText(token.tokens) : unescaped(token.text).replaceAll(/ *\n */g, ' ');
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return inlineText(token.tokens);
    case 'codespan':
    case 'escape':
    case 'image':
      return token.text;
    case 'br':
      return '\n';
    default:
      return '';
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:(?<name>[a-z]+)|#(?<code>\d{1,7}));/g, (whole, name?: string, code?: string) => {
    if (name !== undefined) return REFERENCES[name] ?? whole;
    const point = Number(code);
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000) ? String.fromCodePoint(point) : whole;
  });
}
