import { DIRECTORY_END, DIRECTORY_HEADER, LOCAL_HEADER, type ZipEntry } from '../../../workers/documents/read-zip.ts';

/** A file to be put into an archive: what the archive says of it, and its bytes as they are kept. */
export interface PackedFile extends Omit<ZipEntry, 'offset' | 'packedBytes'> {
  readonly packed: Uint8Array<ArrayBuffer>;
}

/** Version 2.0 of the format, which entries that are deflated need. */
const VERSION = 20;

/** A zip archive of these files, in their order. @source PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16 */
export function zipOf(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const locals: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  for (const file of files) {
    const name = new TextEncoder().encode(file.name);
    const offset = lengthOf(locals);
    locals.push(record([LOCAL_HEADER.signature, 4], ...described(file, name)), name, file.packed);
    // Version of the writer in front; behind: lengths of comment, disk number, attributes, and the local header's place.
    directory.push(
      record([DIRECTORY_HEADER.signature, 4], [VERSION, 2], ...described(file, name)),
      record([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      name,
    );
  }
  const counts: Field[] = [files.length, files.length].map((count) => [count, 2]);
  const sizes: Field[] = [lengthOf(directory), lengthOf(locals)].map((size) => [size, 4]);
  const end = record([DIRECTORY_END.signature, 4], [0, 2], [0, 2], ...counts, ...sizes, [0, 2]);
  return joined([...locals, ...directory, end]);
}

/** A number and how many bytes it takes. */
type Field = readonly [value: number, bytes: 2 | 4];

/** What local and directory header both say; the time is left at its beginning. */
function described({ isEncrypted, method, crc, packed, bytes }: PackedFile, name: Uint8Array): Field[] {
  const sizes: Field[] = [crc, packed.length, bytes].map((number) => [number, 4]);
  return [[VERSION, 2], [Number(isEncrypted), 2], [method, 2], [0, 2], [0, 2], ...sizes, [name.length, 2], [0, 2]];
}

function record(...fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [, length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, length] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += length;
  }
  return bytes;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
