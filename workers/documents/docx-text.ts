import docxReader, { type DocxDocument, type DocxNode } from 'mammoth/lib/docx/docx-reader.js';
import type { DocxParts } from './docx-package.ts';
import { UnreadableDocument } from './read-zip.ts';

/** XML may name half a character by its number; no tokeniser can read that. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Text of a Docx file: paragraphs separated by blank lines, each table as one of them with a line for a
 * row and ` | ` between cells, footnotes and endnotes behind the text in the order in which it refers to them.
 *
 * @throws {UnreadableDocument} for XML that is damaged, or that is no document
 */
export async function textOfDocx(parts: DocxParts): Promise<string> {
  const document = await parsed(parts);
  const notes = [...nodesBelow(document)]
    .filter(({ type }) => type === 'noteReference')
    .flatMap((reference) => document.notes.resolve(reference)?.body ?? []);
  return [...blocksOf(document.children ?? []), ...blocksOf(notes)].join('\n\n').replaceAll(LONE_SURROGATE, '\uFFFD');
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
