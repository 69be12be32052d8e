import mammoth from 'mammoth';
import { UnreadableDocument } from './unreadable-document.ts';

/** What mammoth makes of a document, as far as it is read here. @source mammoth 1.13.0, lib/documents.js */
interface DocxNode {
  readonly type: string;
  readonly children?: readonly DocxNode[];
  /** Of a text. */
  readonly value?: string;
  /** Of a break: line, page or column. */
  readonly breakType?: string;
}

interface DocxDocument extends DocxNode {
  readonly notes: { resolve(reference: DocxNode): { readonly body: readonly DocxNode[] } | undefined };
}

/** XML may name half a character by its number; no tokeniser can read that. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Text of a Docx file that was checked: paragraphs separated by blank lines, each table as one of them with a line for a
 * row and ` | ` between cells, footnotes and endnotes behind the text in the order in which it refers to them.
 *
 * @throws {UnreadableDocument} for XML that is damaged, or that is no document
 */
export async function textOfDocx(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const document = await parsed(file);
  const notes = [...nodesBelow(document)]
    .filter(({ type }) => type === 'noteReference')
    .flatMap((reference) => document.notes.resolve(reference)?.body ?? []);
  return [...blocksOf(document.children ?? []), ...blocksOf(notes)].join('\n\n').replaceAll(LONE_SURROGATE, '\uFFFD');
}

/** The document before mammoth turns it into HTML, which would have to be parsed again; that is left without work. */
async function parsed({ buffer }: Uint8Array<ArrayBuffer>): Promise<DocxDocument> {
  let document: DocxDocument | undefined;
  const transformDocument = (whole: DocxDocument): DocxDocument => {
    document = whole;
    return { ...whole, children: [] };
  };
  try {
    await mammoth.convertToHtml(inputOf(buffer), { transformDocument, includeEmbeddedStyleMap: false });
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UnreadableDocument(`one that cannot be read: ${reason?.replaceAll(/\s+/g, ' ')}`);
  }
  if (!document) throw new UnreadableDocument('one that cannot be read');
  return document;
}

/** mammoth reads `arrayBuffer` in a browser and `buffer` in Node. */
function inputOf(arrayBuffer: ArrayBuffer) {
  return { arrayBuffer, buffer: arrayBuffer };
}

function* nodesBelow(node: DocxNode): Generator<DocxNode> {
  for (const child of node.children ?? []) {
    yield child;
    yield* nodesBelow(child);
  }
}

/** Texts of paragraphs and tables, blank ones left out. */
function blocksOf(nodes: readonly DocxNode[]): string[] {
  return nodes
    .flatMap((node) => {
      if (node.type === 'table') return [tableText(node)];
      if (node.type === 'paragraph' || node.children === undefined) return [inlineText(node)];
      return blocksOf(node.children);
    })
    .filter((text) => text.trim() !== '');
}

function tableText({ children: rows = [] }: DocxNode): string {
  return rows.map(({ children: cells = [] }) => cells.map(cellText).join(' | ')).join('\n');
}

/** A cell is read in one line, whatever stands in it. */
function cellText({ children = [] }: DocxNode): string {
  return blocksOf(children).join(' ').replaceAll(/\s+/g, ' ');
}

function inlineText(node: DocxNode): string {
  if (node.type === 'text') return node.value ?? '';
  if (node.type === 'tab') return '\t';
  if (node.type === 'break') return node.breakType === 'line' ? '\n' : '\n\n';
  return (node.children ?? []).map(inlineText).join('');
}
