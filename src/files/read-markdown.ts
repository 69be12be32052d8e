import { decodeHTMLStrict } from 'entities';
import type { MarkedToken, Token, Tokens } from 'marked';
import type { Span } from '../contract/code-points.ts';
import { tableText } from '../contract/wire/table-text.ts';
import type { Block, FileContent } from './document.ts';
import { htmlPieces } from './html-pieces.ts';
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
  const { body, hasFrontMatter } = withoutFrontMatter(decodeText(bytes));
  const tokens = markdownTokens(body);
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
  return {
    text: pieces.map(({ text }) => text).join(BLANK_LINE),
    layout: { type: 'blocks', blocks },
    unread: hasFrontMatter ? [{ kind: 'metadata', count: 1 }] : [],
  };
}

/** Lines in which front matter must end. */
const MAX_FRONT_MATTER = 300;

/** A key of YAML; and any other line of it: an entry, a comment, a continuation. */
const KEY = /^[\w"'][\w .-]*["']?:(?:\s|$)/;
const YAML_LINE = /^(?:[-#\s]|\}|\]|$)/;

/** Without the YAML between two rules at the start that site generators read; text between two rules is not front matter. */
function withoutFrontMatter(text: string): { readonly body: string; readonly hasFrontMatter: boolean } {
  const lines = text.split('\n', MAX_FRONT_MATTER);
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  const inside = lines.slice(1, end);
  const isYaml = inside.every((line) => KEY.test(line) || YAML_LINE.test(line));
  const startsWithKey = KEY.test(inside.find((line) => !line.startsWith('#')) ?? '');
  if (!/^---\s*$/.test(lines[0] ?? '') || end < 0 || !isYaml || !startsWithKey)
    return { body: text, hasFrontMatter: false };
  return { body: text.slice(lines.slice(0, end + 1).join('\n').length), hasFrontMatter: true };
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
      return token.items.flatMap((item, index) =>
        itemPieces(item, around, token.ordered ? (Number(token.start) || 1) + index : undefined),
      );
    case 'table': {
      const cells = [token.header, ...token.rows].map((row) => row.map(({ tokens }) => inlineText(tokens)));
      return [tablePiece(cells)];
    }
    case 'html':
      return htmlPieces(token.text).map((piece) =>
        'rows' in piece ? tablePiece(piece.rows) : { kind: around.kind, text: piece.text },
      );
    case 'def': // addresses of links are not read, footnotes are
      return token.tag.startsWith('^') ? [{ kind: around.kind, text: token.raw.trim() }] : [];
    default:
      return []; // rules and space
  }
}

function tablePiece(cells: readonly (readonly string[])[]): Piece {
  const { text, cells: rows } = tableText(cells);
  return { kind: 'table', text, rows };
}

/** An entry's own text, with a check box if it has one, then its other blocks, one level deeper. */
function itemPieces(item: Tokens.ListItem, around: Around, ordinal: number | undefined): Piece[] {
  const inner = piecesOf(item.tokens, { ...around, depth: around.depth + 1 });
  const box = item.task ? (item.checked ? '☒ ' : '☐ ') : '';
  const [first, ...rest] = inner;
  if (!first || first.kind !== around.kind) return inner;
  const text = box + first.text;
  return [{ kind: 'item', level: around.depth, text, ...(ordinal !== undefined && { ordinal }) }, ...rest];
}

/** A line of Markdown without marks and HTML: links as their text, pictures as their description. */
function inlineText(tokens: readonly Token[]): string {
  // No extension adds other tokens.
  const text = tokens.map((token) => textOf(token as MarkedToken)).join('');
  return text.replaceAll(/ *\n */g, '\n');
}

function textOf(token: MarkedToken): string {
  switch (token.type) {
    case 'text':
      return token.tokens ? inlineText(token.tokens) : decodeHTMLStrict(token.text).replaceAll(/ *\n */g, ' ');
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return inlineText(token.tokens);
    case 'codespan':
    case 'escape':
      return token.text;
    case 'image':
      return decodeHTMLStrict(token.text);
    case 'br':
      return '\n';
    case 'html':
      return /^<br\s*\/?>/i.test(token.text) ? '\n' : '';
    default:
      return '';
  }
}
