/** A file that cannot be read as a Docx document; `message` describes it, for the end of "got …". */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/** Signatures and lengths of a zip archive's records, little-endian. @source PKWARE APPNOTE 6.3.10, section 4.3 */
export const LOCAL_HEADER = { signature: 0x04034b50, length: 30 } as const;
export const DIRECTORY_HEADER = { signature: 0x02014b50, length: 46 } as const;
export const DIRECTORY_END = { signature: 0x06054b50, length: 22 } as const;

/** How an entry's bytes are stored. */
export const METHOD = { stored: 0, deflated: 8 } as const;

/** An entry of the directory of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Checksum of the unpacked bytes. */
  readonly crc: number;
  readonly packedBytes: number;
  /** Unpacked size as declared, which may be a lie. */
  readonly bytes: number;
  /** Start of its local header in the archive. */
  readonly offset: number;
}

/** Most bytes of the comment after the end record. */
const LONGEST_COMMENT = 0xffff;

/** Marks a number that is in a zip64 record, which only archives over 4 GiB need. */
const ELSEWHERE = 0xffffffff;

/** Packed bytes unpacked at once: the platform unpacks a whole slice, which grows to 16 MiB at most. */
const SLICE_BYTES = 16 * 1024;

/**
 * The directory of a zip archive.
 *
 * @throws {UnreadableDocument} for an archive that is cut off, damaged or a zip64 archive
 * @source PKWARE APPNOTE 6.3.10, sections 4.3.12 and 4.3.16
 */
export function readDirectory(file: Uint8Array): ZipEntry[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = endOf(view);
  let offset = view.getUint32(end + 16, true);
  return Array.from({ length: view.getUint16(end + 10, true) }, () => {
    if (offset + DIRECTORY_HEADER.length > end || view.getUint32(offset, true) !== DIRECTORY_HEADER.signature)
      throw new UnreadableDocument('a zip archive whose directory is damaged');
    const entry = entryAt(file, view, offset);
    offset += DIRECTORY_HEADER.length + [28, 30, 32].reduce((sum, at) => sum + view.getUint16(offset + at, true), 0);
    return entry;
  });
}

function endOf(view: DataView): number {
  const last = view.byteLength - DIRECTORY_END.length;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--)
    if (view.getUint32(at, true) === DIRECTORY_END.signature) return at;
  throw new UnreadableDocument('a zip archive without its end: the file was cut off');
}

function entryAt(file: Uint8Array, view: DataView, at: number): ZipEntry {
  const nameStart = at + DIRECTORY_HEADER.length;
  const name = file.subarray(nameStart, nameStart + view.getUint16(at + 28, true));
  const entry = {
    name: new TextDecoder().decode(name),
    method: view.getUint16(at + 10, true),
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    crc: view.getUint32(at + 16, true),
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  if ([entry.packedBytes, entry.bytes, entry.offset].includes(ELSEWHERE))
    throw new UnreadableDocument('a zip64 archive, which no document needs');
  return entry;
}

/**
 * Unpacks one entry, and stops as soon as it exceeds its declared size.
 *
 * @throws {UnreadableDocument} for an entry that is cut off, damaged, packed in another way or larger than declared
 */
export async function unpack(file: Uint8Array<ArrayBuffer>, entry: ZipEntry): Promise<Uint8Array<ArrayBuffer>> {
  const packed = packedBytes(file, entry);
  const bytes = entry.method === METHOD.stored ? packed : await inflated(packed, entry);
  if (bytes.length !== entry.bytes || crc32(bytes) !== entry.crc)
    throw new UnreadableDocument(`a zip archive whose entry ${entry.name} is damaged`);
  return bytes;
}

function packedBytes(file: Uint8Array<ArrayBuffer>, { name, offset, packedBytes: length, method }: ZipEntry) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (offset + LOCAL_HEADER.length > file.length || view.getUint32(offset, true) !== LOCAL_HEADER.signature)
    throw new UnreadableDocument(`a zip archive whose entry ${name} is missing`);
  const start = offset + LOCAL_HEADER.length + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + length > file.length) throw new UnreadableDocument(`a zip archive whose entry ${name} is cut off`);
  if (method !== METHOD.stored && method !== METHOD.deflated)
    throw new UnreadableDocument(`a zip archive whose entry ${name} is packed by method ${method}, not 0 or 8`);
  return file.subarray(start, start + length);
}

async function inflated(packed: Uint8Array<ArrayBuffer>, { name, bytes }: ZipEntry) {
  const all = new Uint8Array(bytes);
  const reader = slicesOf(packed).pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (length + next.value.length > bytes)
        throw new UnreadableDocument(
          `a zip archive whose entry ${name} unpacks to more than the ${bytes} bytes it declares`,
        );
      all.set(next.value, length);
      length += next.value.length;
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined); // rejects again for a stream that has failed
    if (error instanceof UnreadableDocument) throw error;
    throw new UnreadableDocument(`a zip archive whose entry ${name} is damaged`);
  }
  return all.subarray(0, length);
}

function slicesOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    if (at >= bytes.length) return controller.close();
    controller.enqueue(bytes.subarray(at, (at += SLICE_BYTES)));
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** The checksum of zip archives, an unsigned 32-bit number. @source ISO 3309; PKWARE APPNOTE 4.4.7 */
function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ (TABLE[(rest ^ byte) & 255] ?? 0);
  return ~rest >>> 0;
}
