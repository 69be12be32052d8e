import docxReader, { type DocxDocument, type DocxFile, type DocxNode } from 'mammoth/lib/docx/docx-reader.js';
import type { UnreadPart } from '../../src/contract/qa.ts';
import type { ExtractedText, TextBlock } from '../../src/protocol/jobs.ts';
import { withoutInvisible } from '../../src/contract/wire/invisible-text.ts';
import { tableText } from '../../src/contract/wire/table-text.ts';
import { preparedFile } from './prepared-file.ts';
import { readDirectory, unpack, UnreadableDocument, type ZipEntry } from './read-zip.ts';

/** Limits of an archive; all decided here, far above those of real documents. */
const DOCX_LIMITS = {
  /** Files in the archive. */
  entries: 10_000,
  /** All files of the archive together, unpacked, as declared. */
  bytes: 200 * 2 ** 20,
  /** The XML that is read, unpacked: about a thousand pages. Parsing takes up to seventy times as much memory. */
  xmlBytes: 24 * 2 ** 20,
  /** Unpacked to packed bytes, from `ratioFrom` bytes on: XML has 10 to 30, zeros alone 1000. */
  ratio: 200,
  ratioFrom: 8 * 2 ** 20,
} as const;

/** First bytes of a compound file: an encrypted document, or one of Word before 2007. @source MS-CFB 2.2 */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

const ZIP = [0x50, 0x4b];

/**
 * A Docx file that has been checked. Its parts are unpacked when they are read, which fails for one that is damaged.
 *
 * @throws {UnreadableDocument} for a file that is encrypted, cut off, damaged, too large unpacked, with macros, or not a Docx
 *   file
 */
function checkedFile(file: Uint8Array<ArrayBuffer>): DocxFile {
  if (file.length === 0) throw new UnreadableDocument('nothing');
  if (beginsWith(file, COMPOUND_FILE))
    throw new UnreadableDocument('one that is encrypted, or a .doc file of Word 97 to 2003');
  if (!beginsWith(file, ZIP)) throw new UnreadableDocument('a file that is not a zip archive');
  const entries = readDirectory(file);
  checkEntries(entries, file.length);
  const parts = new Map(entries.filter(isXml).map((entry) => [entry.name, entry]));
  const texts = new Map<string, Promise<string>>();
  const textOf = async (part: ZipEntry | undefined) => (part ? new TextDecoder().decode(await unpack(file, part)) : '');
  return {
    exists: (name) => parts.has(name),
    read(name) {
      const text = texts.get(name) ?? textOf(parts.get(name));
      texts.set(name, text);
      return text;
    },
  };
}

function beginsWith(file: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => file[i] === byte);
}

/** Checks that need no unpacking. */
function checkEntries(entries: readonly ZipEntry[], fileBytes: number): void {
  const total = sumOf(entries);
  const xml = sumOf(entries.filter(isXml));
  const refusals: readonly [isRefused: boolean, found: string][] = [
    [entries.length > DOCX_LIMITS.entries, `an archive of ${entries.length} files, more than ${DOCX_LIMITS.entries}`],
    [entries.some(({ isEncrypted }) => isEncrypted), 'one that is encrypted'],
    [
      entries.some(({ name }) => /vbaProject\.bin$/i.test(name)),
      'one with macros, which are not read; save it as .docx',
    ],
    [!entries.some(({ name }) => name === '[Content_Types].xml'), 'a zip archive that holds no document'],
    [total > DOCX_LIMITS.bytes, `one that unpacks to ${megabytes(total)}, more than ${megabytes(DOCX_LIMITS.bytes)}`],
    [
      xml > DOCX_LIMITS.xmlBytes,
      `one with ${megabytes(xml)} of text and layout, more than ${megabytes(DOCX_LIMITS.xmlBytes)}`,
    ],
    [
      total > DOCX_LIMITS.ratioFrom && total > fileBytes * DOCX_LIMITS.ratio,
      `one that unpacks to ${Math.round(total / fileBytes)} times its size, more than ${DOCX_LIMITS.ratio} times`,
    ],
  ];
  const refused = refusals.find(([isRefused]) => isRefused);
  if (refused) throw new UnreadableDocument(refused[1]);
}

/** Parts that hold text, styles and relationships. Pictures, fonts and other files are not unpacked. */
function isXml({ name }: ZipEntry): boolean {
  return /\.(xml|rels)$/i.test(name) && !/^(customXml|docProps)\//.test(name);
}

function sumOf(entries: readonly ZipEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}

/** XML may contain half a character by its number; no tokenizer can read that. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Between two blocks. */
const BLANK_LINE = '\n\n';

/**
 * Text of a Docx file: page headers, paragraphs, page footers, footnotes and endnotes in the order of their references, all
 * separated by blank lines; each table as a paragraph with a line for each row and ` | ` between cells. Hidden and deleted text is
 * left out and counted, as are pictures, charts, comments and embedded files.
 *
 * @param checkpoint  called before the XML is unpacked
 * @throws {UnreadableDocument} as `checkedFile`; also for XML that is damaged, or not a document
 */
export async function textOfDocx(
  file: Uint8Array<ArrayBuffer>,
  checkpoint: () => Promise<void>,
): Promise<ExtractedText> {
  const checked = checkedFile(file);
  await checkpoint();
  const { document, unread } = await parsed(checked);
  const notes = [...nodesBelow(document)]
    .filter(({ type }) => type === 'noteReference')
    .flatMap((reference) => document.notes.resolve(reference)?.body ?? []);
  const pieces = [...piecesOf(document.children ?? []), ...piecesOf(notes)];
  const blocks: TextBlock[] = [];
  let end = 0;
  for (const { text, block } of pieces) {
    const start = end === 0 ? 0 : end + BLANK_LINE.length;
    const rows = block.rows?.map((cells) => cells.map((cell) => ({ ...cell, start: start + cell.start })));
    blocks.push({ ...block, ...(rows && { rows }), start, length: text.length });
    end = start + text.length;
  }
  const text = pieces.map((piece) => piece.text).join(BLANK_LINE);
  const invisible = invisibleIn([...(document.children ?? []), ...notes]);
  return { text: text.replaceAll(LONE_SURROGATE, '\uFFFD'), blocks, unread: withHidden(unread, invisible) };
}

/** Runs of invisible characters that carry text, in all paragraphs. */
function invisibleIn(children: readonly DocxNode[]): number {
  return [...nodesBelow({ type: 'document', children })]
    .filter(({ type }) => type === 'paragraph')
    .reduce((sum, paragraph) => sum + withoutInvisible(inlineText(paragraph)).count, 0);
}

/** Parts that are not read with more hidden text; each kind is there once. */
function withHidden(unread: readonly UnreadPart[], more: number): UnreadPart[] {
  const hidden = unread.find(({ kind }) => kind === 'hidden_text');
  const count = (hidden?.count ?? 0) + more;
  return [...unread.filter((part) => part !== hidden), ...(count > 0 ? [{ kind: 'hidden_text' as const, count }] : [])];
}

async function parsed(checked: DocxFile): Promise<{ readonly document: DocxDocument; readonly unread: UnreadPart[] }> {
  try {
    const { file, unread } = await preparedFile(checked);
    const { value: document, messages } = await docxReader.read(file);
    const symbols = messages.filter(({ message }) => message.startsWith('A w:sym element')).length;
    return { document, unread: [...unread, ...(symbols > 0 ? [{ kind: 'symbol' as const, count: symbols }] : [])] };
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
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
  const { text } = withoutInvisible(inlineText(node));
  const { styleId, styleName, numbering } = node;
  const heading = /^heading ?([1-6])$/i.exec(styleName ?? styleId ?? '')?.[1];
  if (heading !== undefined) return { text, block: { kind: 'heading', level: Number(heading) } };
  if (/^title$/i.test(styleName ?? '')) return { text, block: { kind: 'heading', level: 1 } };
  if (!numbering || numbering.isOrdered) return { text, block: { kind: 'paragraph' } }; // its text has the number
  return { text, block: { kind: 'item', level: Number(numbering.level) || 0 } };
}

/** The most that Word has. */
const MAX_COLUMNS = 63;

function tablePiece({ children = [] }: DocxNode): Piece {
  const ends: number[] = [];
  const rows = children.filter(({ type }) => type === 'tableRow').map((row, y) => rowTexts(row, y, ends));
  const { text, cells } = tableText(rows);
  return { text, block: { kind: 'table', rows: cells } };
}

/**
 * The cells of a row, with an empty one at each place but the first that a merged cell takes.
 *
 * @param ends  of each column: the row below its last cell
 */
function rowTexts({ children = [] }: DocxNode, y: number, ends: number[]): string[] {
  const row: string[] = [];
  const skipMerged = () => {
    while ((ends[row.length] ?? 0) > y) row.push('');
  };
  for (const cell of children.filter(({ type }) => type === 'tableCell')) {
    skipMerged();
    const { rowSpan = 1, colSpan = 1 } = cell;
    for (let x = 0; x === 0 || x < Math.min(colSpan, MAX_COLUMNS); x++) {
      ends[row.length] = y + rowSpan;
      row.push(x === 0 ? cellText(cell) : '');
    }
  }
  skipMerged();
  return row;
}

/** A cell is one line, whatever it contains. */
function cellText({ children = [] }: DocxNode): string {
  return piecesOf(children)
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

function inlineText(node: DocxNode): string {
  if (node.type === 'text') return node.value ?? '';
  if (node.type === 'tab') return '\t';
  if (node.type === 'checkbox') return node.checked ? '☒' : '☐';
  if (node.type === 'break') return node.breakType === 'line' ? '\n' : '\n\n';
  return (node.children ?? []).map(inlineText).join('');
}
