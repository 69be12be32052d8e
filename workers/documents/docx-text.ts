import docxReader, { type DocxDocument, type DocxNode } from 'mammoth/lib/docx/docx-reader.js';
import type { ExtractedText, TextBlock } from '../../src/protocol/document-jobs.ts';
import type { DocxParts } from './docx-package.ts';
import { UnreadableDocument } from './read-zip.ts';
import { tableOf } from '../../src/contract/wire/table-text.ts';

/** XML may name half a character by its number; no tokeniser can read that. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Stands between two blocks. */
const BLANK_LINE = '\n\n';

/**
 * Text of a Docx file: paragraphs separated by blank lines, each table as one of them with a line for a
 * row and ` | ` between cells, footnotes and endnotes behind the text in the order in which it refers to them.
 *
 * @throws {UnreadableDocument} for XML that is damaged, or that is no document
 */
export async function textOfDocx(parts: DocxParts): Promise<ExtractedText> {
  const document = await parsed(parts);
  const notes = [...nodesBelow(document)]
    .filter(({ type }) => type === 'noteReference')
    .flatMap((reference) => document.notes.resolve(reference)?.body ?? []);
  const pieces = numbered([...piecesOf(document.children ?? []), ...piecesOf(notes)]);
  const blocks: TextBlock[] = [];
  let end = 0;
  for (const { text, block } of pieces) {
    const start = end === 0 ? 0 : end + BLANK_LINE.length;
    const rows = block.rows?.map((cells) => cells.map((cell) => ({ ...cell, start: start + cell.start })));
    blocks.push({ ...block, ...(rows && { rows }), start, length: text.length });
    end = start + text.length;
  }
  return {
    text: pieces
      .map(({ text }) => text)
      .join(BLANK_LINE)
      .replaceAll(LONE_SURROGATE, '\uFFFD'),
    blocks,
  };
}

async function parsed(parts: DocxParts): Promise<DocxDocument> {
  try {
    const { value } = await docxReader.read({
      exists: (name) => parts.has(name),
      read: async (name) => new TextDecoder().decode(parts.get(name)),
    });
    return value;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UnreadableDocument(`one that cannot be read: ${reason?.replaceAll(/\s+/g, ' ')}`);
  }
}

function* nodesBelow(node: DocxNode): Generator<DocxNode> {
  for (const child of node.children ?? []) {
    yield child;
    yield* nodesBelow(child);
  }
}

/** A block and its text; cells of a table are spans of that text. */
interface Piece {
  readonly text: string;
  readonly block: Omit<TextBlock, 'start' | 'length'>;
  readonly isOrdered?: boolean;
}

/** Paragraphs and tables, blank ones left out. */
function piecesOf(nodes: readonly DocxNode[]): Piece[] {
  return nodes
    .flatMap((node): Piece[] => {
      if (node.type === 'table') return [tablePiece(node)];
      if (node.type === 'paragraph' || node.children === undefined) return [paragraphPiece(node)];
      return piecesOf(node.children);
    })
    .filter(({ text }) => text.trim() !== '');
}

function paragraphPiece(node: DocxNode): Piece {
  const text = inlineText(node);
  const { styleId, styleName, numbering } = node;
  const heading = /^heading ?([1-6])$/i.exec(styleName ?? styleId ?? '')?.[1];
  if (heading !== undefined) return { text, block: { kind: 'heading', level: Number(heading) } };
  if (/^title$/i.test(styleName ?? '')) return { text, block: { kind: 'heading', level: 1 } };
  if (!numbering) return { text, block: { kind: 'paragraph' } };
  return { text, block: { kind: 'item', level: Number(numbering.level) || 0 }, isOrdered: numbering.isOrdered };
}

/** Entries of numbered lists get their numbers, which Word counts when it shows them; another block ends a list. */
function numbered(pieces: readonly Piece[]): Piece[] {
  let counts: number[] = [];
  return pieces.map((piece) => {
    const { kind, level = 0 } = piece.block;
    if (kind !== 'item') {
      counts = [];
      return piece;
    }
    const ordinal = (counts[level] ?? 0) + 1;
    counts = [...counts.slice(0, level), ordinal];
    return piece.isOrdered ? { ...piece, block: { ...piece.block, ordinal } } : piece;
  });
}

function tablePiece({ children: rows = [] }: DocxNode): Piece {
  const { text, cells } = tableOf(rows.map(({ children = [] }) => children.map(cellText)));
  return { text, block: { kind: 'table', rows: cells } };
}

/** A cell is read in one line, whatever stands in it. */
function cellText({ children = [] }: DocxNode): string {
  return piecesOf(children)
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

function inlineText(node: DocxNode): string {
  if (node.type === 'text') return node.value ?? '';
  if (node.type === 'tab') return '\t';
  if (node.type === 'break') return node.breakType === 'line' ? '\n' : '\n\n';
  return (node.children ?? []).map(inlineText).join('');
}
