import { decodeHTMLStrict } from 'entities';
import { Lexer, type MarkedToken, type Token, type Tokens, walkTokens } from 'marked';
import type { Span } from '../contract/code-points.ts';
import { jsonIn } from '../contract/records.ts';
import { withoutInvisible } from '../contract/wire/invisible-text.ts';
import { tableText } from '../contract/wire/table-text.ts';
import { type Block, checkLength, type FileContent } from './document.ts';
import { createTagFollower, htmlPieces, tagText } from './html-pieces.ts';
import { decodeText, readPlainText } from './plain-text.ts';
import { markdownTokens } from './markdown-tokens.ts';

/** Between two blocks. */
const BLANK_LINE = '\n\n';

/**
 * A text in Markdown without its marks, block by block, so that neither a model nor a search sees them. A text that is
 * nested too deeply to be parsed, or has too large a table, is read as plain text.
 *
 * @throws {UnreadableFile} `damaged` for bytes that are not text, `too_long`
 */
export function readMarkdown(bytes: Uint8Array<ArrayBuffer>): FileContent {
  const { text, unread } = decodeText(bytes);
  checkLength(text);
  let numbered = 0;
  const { body, hasFrontMatter } = withoutFrontMatter(
    text.replaceAll(BY_NUMBERS, (run) => {
      const { text: shown, count } = withoutInvisible(decodeHTMLStrict(run));
      numbered += count;
      return count > 0 ? shown : run;
    }),
  );
  const tokens = markdownTokens(body);
  try {
    return tokens === null ? readPlainText(bytes) : contentOf(tokens, { hasFrontMatter, unread, numbered });
  } catch (error) {
    if (error instanceof RangeError) return readPlainText(bytes); // HTML that is nested too deeply
    throw error;
  }
}

/** Characters by their numbers, as invisible text may be written. */
const BY_NUMBERS = /(?:&#(?:x[\da-f]+|\d+);)+/gi;

/** What is known of a file before its blocks are read, with its runs of invisible text that are written by numbers. */
interface Given extends Pick<FileContent, 'unread'> {
  readonly hasFrontMatter: boolean;
  readonly numbered: number;
}

function contentOf(tokens: readonly Token[], { hasFrontMatter, unread, numbered }: Given): FileContent {
  let hidden = numbered + (unread.find(({ kind }) => kind === 'hidden_text')?.count ?? 0);
  const onHidden = () => void hidden++;
  const pieces = piecesOf(tokens, { kind: 'paragraph', depth: 0, onHidden }).filter(({ text }) => text.trim() !== '');
  const counts = [
    { kind: 'metadata', count: Number(hasFrontMatter) + countIn(tokens, 'html', TITLE) + titlesIn(tokens) },
    { kind: 'comment', count: countIn(tokens, 'html', COMMENT) + countIn(tokens, 'def', LINK_TO_NOTHING) },
    { kind: 'hidden_text', count: hidden + hiddenInLines(tokens) },
    { kind: 'struck_text', count: countIn(tokens, 'del', /^/g) + countIn(tokens, 'html', STRUCK) },
  ] as const;
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
    unread: [...unread.filter(({ kind }) => kind !== 'hidden_text'), ...counts.filter(({ count }) => count > 0)],
  };
}

/** A comment of HTML that says something, an element whose text is struck through, and a title, which is shown at the pointer alone. */
const [COMMENT, STRUCK, TITLE] = [
  /<!--(?!\s*-->)/g,
  /<(?:s|del|strike)(?=[\s>])/gi,
  /<title>|<\w[^<>]*\stitle\s*=\s*(?!""|'')/gi,
];

/** A title without an address, as comments are written that no page shows: `[//]: # (Draft)`. */
const LINK_TO_NOTHING = /^[^:]*:\s*(?:#|<#?>)\s+["'(]/;

/** Titles of links and pictures; one that a definition gives belongs to that. */
function titlesIn(tokens: readonly Token[]): number {
  let count = 0;
  walkTokens([...tokens], (token) => {
    const hasOwn = token.type === 'def' ? !LINK_TO_NOTHING.test(token.raw) : token.raw.endsWith(')');
    if ('title' in token && token.title && hasOwn) count++;
  });
  return count;
}

/** How often a pattern is in the tokens of one type. */
function countIn(tokens: readonly Token[], type: string, pattern: RegExp): number {
  let count = 0;
  walkTokens([...tokens], (token) => {
    if (token.type === type) count += token.raw.match(pattern)?.length ?? 0;
  });
  return count;
}

/** Elements within lines that are not shown because they say so. */
function hiddenInLines(tokens: readonly Token[]): number {
  let count = 0;
  walkTokens([...tokens], (token) => {
    if (token.type === 'html' && token['block'] !== true && !createTagFollower()(token.raw)) count++;
  });
  return count;
}

/** Lines in which front matter must end. */
const MAX_FRONT_MATTER = 300;

/** How front matter begins, ends and names its values in YAML and in TOML, and which other lines it may have. */
const FRONT_MATTER = [
  { begin: /^---\s*$/, end: /^(?:---|\.\.\.)\s*$/, key: /^[\w"'][\w .-]*["']?:(?:\s|$)/, line: /^(?:[-#\s]|\}|\]|$)/ },
  { begin: /^\+\+\+\s*$/, end: /^\+\+\+\s*$/, key: /^(?:[\w"'][\w .-]*["']?\s*=|\[)/, line: /^/ },
];

/** Without the values at the start that site generators read; text between two rules is not front matter. */
function withoutFrontMatter(text: string): { readonly body: string; readonly hasFrontMatter: boolean } {
  const lines = text.split('\n', MAX_FRONT_MATTER);
  const object = lines.slice(0, lines.findIndex((line) => /^(?:\{.*)?\}\s*$/.test(line)) + 1).join('\n');
  const isObject = object.startsWith('{') && jsonIn(object) !== null; // as Hugo's documentation defines, Front matter
  if (isObject && text.trimEnd().length > object.length)
    return { body: text.slice(object.length), hasFrontMatter: true };
  for (const { begin, end, key, line } of FRONT_MATTER) {
    const last = lines.findIndex((each, at) => at > 0 && end.test(each));
    const inside = lines.slice(1, last);
    const first = inside.find((each) => !each.startsWith('#')) ?? '';
    if (!begin.test(lines[0] ?? '') || last < 0 || !key.test(first)) continue;
    if (!inside.every((each) => key.test(each) || line.test(each))) continue;
    return { body: text.slice(lines.slice(0, last + 1).join('\n').length), hasFrontMatter: true };
  }
  return { body: text, hasFrontMatter: false };
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
  /** Called for each element of HTML that is not shown because it says so. */
  readonly onHidden: () => void;
}

function piecesOf(tokens: readonly Token[], around: Around): Piece[] {
  // No extension adds other tokens.
  return shownTokens(tokens).flatMap((token) => pieceOf(token as MarkedToken, around));
}

/** Without those between the tags of an element that is not shown. */
function shownTokens(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ type }) => type === 'html')) return tokens;
  const follow = createTagFollower();
  let isShown = true;
  return tokens.filter(({ type, raw }) => {
    const wasShown = isShown;
    if (type === 'html') isShown = follow(raw);
    return wasShown;
  });
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
      return token.items.flatMap((item, index) => itemPieces(item, around, numberOf(token, index)));
    case 'table':
      return [tablePiece(cellsOf(token))];
    case 'html':
      return htmlPieces(token.text, around.onHidden).map((piece) =>
        'rows' in piece ? tablePiece(piece.rows) : { kind: around.kind, text: piece.text },
      );
    case 'def': // addresses of links are not read, footnotes are
      return token.tag.startsWith('^') ? [{ kind: around.kind, text: token.raw.trim() }] : [];
    default:
      return []; // rules and space
  }
}

/** The cells of a table, those beyond its header too, which the parser leaves out. */
function cellsOf({ header, rows, raw }: Tokens.Table): string[][] {
  const lines = raw.trim().split('\n').slice(2);
  return [header, ...rows].map((row, index) => {
    const cells = row.map(({ tokens }) => inlineText(tokens));
    const written = lines[index - 1]?.replaceAll(/^\s*\||(?<!\\)\|\s*$/g, '').split(/(?<!\\)\|/) ?? [];
    const beyond = written.slice(header.length).map((cell) => inlineText(Lexer.lexInline(cell.trim())));
    return [...cells, ...beyond];
  });
}

function tablePiece(cells: readonly (readonly string[])[]): Piece {
  const { text, cells: rows } = tableText(cells);
  return { kind: 'table', text, rows };
}

/** The number that an entry of a list is shown with, such as `3.` or `3)`; '' for one with a bullet. */
function numberOf({ ordered, start, raw }: Tokens.List, index: number): string {
  if (!ordered) return '';
  const [, delimiter = '.'] = /^\s*\d+([.)])/.exec(raw) ?? [];
  return `${Number(start) + index}${delimiter} `;
}

/** An entry's own text after its number and its check box, if it has them, then its other blocks, one level deeper. */
function itemPieces(item: Tokens.ListItem, around: Around, number: string): Piece[] {
  const mark = number + (item.task ? (item.checked ? '☒ ' : '☐ ') : '');
  const [first, ...rest] = piecesOf(item.tokens, { ...around, depth: around.depth + 1 });
  if (!first) return [];
  if (first.kind === 'table' || first.kind === 'code')
    return mark === '' ? [first, ...rest] : [{ kind: around.kind, text: mark.trim() }, first, ...rest];
  const isOwn = first.kind === around.kind;
  const kind = isOwn
    ? ({ kind: 'item', level: around.depth, ...(number !== '' && { hasNumber: true }) } as const)
    : null;
  return [{ ...first, ...kind, text: mark + first.text }, ...rest];
}

/** A line of Markdown without marks and HTML: links as their text, pictures as their description. */
function inlineText(tokens: readonly Token[]): string {
  // No extension adds other tokens.
  const text = shownTokens(tokens)
    .map((token) => textOf(token as MarkedToken))
    .join('');
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
      return tagText(token.text);
    default:
      return '';
  }
}
