import type { ImageFormat } from '../../protocol/prompt.ts';

/** Format and size of a picture, known before it is decoded. */
export interface ImageHeader {
  readonly format: ImageFormat;
  /** Pixels; undefined if the file ends before they are stated. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/**
 * Reads format and size from a file's first bytes, so that a picture that would not fit into memory is refused before
 * it is decoded.
 *
 * @returns undefined for any other format
 * @source  PNG (W3C, 2023), sections 5.2 and 11.2.1; JPEG (ITU-T T.81), B.1.1 and B.2.2; WebP (RFC 9649), section 2
 */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return { format: 'PNG', size: pngSize(bytes, view) };
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return { format: 'JPEG', size: jpegSize(bytes, view) };
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'))
    return { format: 'WebP', size: webpSize(bytes, view) };
  return undefined;
}

type Size = ImageHeader['size'];

function startsWith(bytes: Uint8Array, offset: number, magic: string): boolean {
  return [...magic].every((character, i) => bytes[offset + i] === character.charCodeAt(0));
}

function pngSize(bytes: Uint8Array, view: DataView): Size {
  if (bytes.length < 24 || !startsWith(bytes, 12, 'IHDR')) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Skips segments up to the one that begins the frame. */
function jpegSize(bytes: Uint8Array, view: DataView): Size {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda || marker === 0xd9) return undefined; // the scan, or the end, with no frame before it
    if (marker === 0xff) at += 1; // fill
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2; // markers without a segment
    else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Start of frame, SOF0 … SOF15; three numbers among them mean something else (DHT, JPG, DAC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function webpSize(bytes: Uint8Array, view: DataView): Size {
  if (bytes.length < 30) return undefined;
  if (startsWith(bytes, 12, 'VP8X')) return { width: 1 + threeBytes(view, 24), height: 1 + threeBytes(view, 27) };
  if (startsWith(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (startsWith(bytes, 12, 'VP8 ') && startsWith(bytes, 23, '\x9d\x01\x2a'))
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  return undefined;
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
