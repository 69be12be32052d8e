import { readDirectory, unpack, UnreadableDocument, type ZipEntry } from './read-zip.ts';

/** The XML parts of a Docx file by name, unpacked: no size that lies, no picture and no program among them. */
export type DocxParts = ReadonlyMap<string, Uint8Array>;

/** Limits of what is unpacked; all decided here, far above what documents have. */
export const LIMITS = {
  /** Files in the archive. */
  entries: 10_000,
  /** All files of the archive together, unpacked, as declared. */
  bytes: 200 * 2 ** 20,
  /** The XML that is read, unpacked: some thousand pages. Parsing it takes up to seventy times as much memory. */
  xmlBytes: 24 * 2 ** 20,
  /** Unpacked bytes to packed ones from `ratioFrom` bytes on: XML comes to some 10 to 30, nothing but zeros to 1000. */
  ratio: 200,
  ratioFrom: 8 * 2 ** 20,
} as const;

/** First bytes of a compound file: what Word encrypts, and what it wrote before 2007, look alike. @source MS-CFB 2.2 */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

const ZIP = [0x50, 0x4b];

/**
 * The XML of a Docx file, checked and unpacked.
 *
 * @throws {UnreadableDocument} for a file that is encrypted, cut off, damaged, too large unpacked, holds macros or is no
 *   Docx file at all
 */
export async function checkedParts(file: Uint8Array<ArrayBuffer>): Promise<DocxParts> {
  if (file.length === 0) throw new UnreadableDocument('nothing');
  if (beginsWith(file, COMPOUND_FILE))
    throw new UnreadableDocument('one that is encrypted, or a .doc file of Word 97 to 2003');
  if (!beginsWith(file, ZIP)) throw new UnreadableDocument('a file that is no zip archive');
  const entries = readDirectory(file);
  checkEntries(entries, file.length);
  const parts = new Map<string, Uint8Array>();
  for (const entry of entries.filter(isXml)) parts.set(entry.name, await unpack(file, entry));
  return parts;
}

function beginsWith(file: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => file[i] === byte);
}

/** Everything that can be seen without unpacking. */
function checkEntries(entries: readonly ZipEntry[], fileBytes: number): void {
  const total = sumOf(entries);
  const xml = sumOf(entries.filter(isXml));
  const refusals: readonly [isRefused: boolean, what: string][] = [
    [entries.length > LIMITS.entries, `an archive of ${entries.length} files, more than ${LIMITS.entries}`],
    [entries.some(({ isEncrypted }) => isEncrypted), 'one that is encrypted'],
    [
      entries.some(({ name }) => /vbaProject\.bin$/i.test(name)),
      'one with macros, which are not read; save it as .docx',
    ],
    [!entries.some(({ name }) => name === '[Content_Types].xml'), 'a zip archive that holds no document'],
    [total > LIMITS.bytes, `one that unpacks to ${megabytes(total)}, more than ${megabytes(LIMITS.bytes)}`],
    [xml > LIMITS.xmlBytes, `one with ${megabytes(xml)} of text and layout, more than ${megabytes(LIMITS.xmlBytes)}`],
    [
      total > LIMITS.ratioFrom && total > fileBytes * LIMITS.ratio,
      `one that unpacks to ${Math.round(total / fileBytes)} times its size, more than ${LIMITS.ratio} times`,
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
