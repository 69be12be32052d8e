/** A stretch of a file, in bytes: `end` is the first byte after it. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

const PNG_HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_NOTES = new Set(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP']);

const JPEG_HEAD = [0xff, 0xd8];
/** The marker behind which compressed data begins. */
const JPEG_SCAN = 0xda;
const JPEG_PROFILE_MARKER = 0xe2;
const JPEG_PROFILE_NAME = 'ICC_PROFILE\0';

/**
 * A picture file without what a PNG or JPEG file notes of its colours: gamma, primaries, profiles. WebKit converts colours
 * by these notes even if it is asked not to; files of other formats it leaves as they are.
 *
 * @returns  parts of the file, in order, as `Blob` takes them; the bytes are not copied
 * @edge     a file that is cut off keeps its end, so that a decoder finds the fault
 * @source   PNG (W3C, 2025), sections 5.3 and 11.3.2; JPEG (ITU-T T.81), annex B; ICC.1:2022, annex B.4
 */
export function withoutColourNotes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const notes = notesIn(bytes);
  const starts = [0, ...notes.map(({ end }) => end)];
  const ends = [...notes.map(({ start }) => start), bytes.length];
  return starts.map((start, i) => bytes.subarray(start, ends[i]));
}

function notesIn(bytes: Uint8Array): Stretch[] {
  if (startsWith(bytes, PNG_HEAD)) return pngNotes(bytes);
  return startsWith(bytes, JPEG_HEAD) ? jpegNotes(bytes) : [];
}

/** A chunk is the length of its data, a name of four letters, the data, and a checksum. */
function pngNotes(bytes: Uint8Array): Stretch[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const notes: Stretch[] = [];
  for (let start = PNG_HEAD.length; start + 12 <= bytes.length;) {
    const end = start + 12 + view.getUint32(start);
    if (end > bytes.length) break;
    if (PNG_NOTES.has(textAt(bytes, start + 4, 4))) notes.push({ start, end });
    start = end;
  }
  return notes;
}

/** A segment is 0xff, a marker, a length that counts itself, and the data. */
function jpegNotes(bytes: Uint8Array): Stretch[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const notes: Stretch[] = [];
  for (let start = JPEG_HEAD.length; start + 4 <= bytes.length && bytes[start] === 0xff;) {
    const marker = bytes[start + 1];
    const end = start + 2 + view.getUint16(start + 2);
    if (marker === JPEG_SCAN || end > bytes.length) break;
    const isProfile = textAt(bytes, start + 4, JPEG_PROFILE_NAME.length) === JPEG_PROFILE_NAME;
    if (marker === JPEG_PROFILE_MARKER && isProfile) notes.push({ start, end });
    start = end;
  }
  return notes;
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, i) => bytes[i] === byte);
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}
