import type { DecodePicture } from '../../../workers/engine/images/image-reader.ts';

/** The first bytes of every PNG file. */
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes before a file's first row: signature, IHDR, the chunk's head, zlib's head. */
const DATA_START = SIGNATURE.length + 25 + 8 + 2;

/** A pixel's colour, 0 … 255: red, green, blue. */
export type Colour = readonly [red: number, green: number, blue: number];

/**
 * A PNG file of 8-bit RGB, not compressed: each row is a stored block, behind a filter byte of 0.
 *
 * @source PNG (W3C, 2023); zlib (RFC 1950); DEFLATE (RFC 1951), section 3.2.4
 */
export function encodePng(
  width: number,
  height: number,
  colour: (x: number, y: number) => Colour,
): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (__, x) => [...colour(x, y)]).flat(),
  ]);
  const blocks = rows.flatMap((row, y) => [
    Number(y === height - 1),
    row.length & 255,
    row.length >> 8,
    ~row.length & 255,
    (~row.length >> 8) & 255,
    ...row,
  ]);
  const data = [0x78, 0x01, ...blocks, ...bigEndian(adler32(rows.flat()))];
  const header = [...bigEndian(width), ...bigEndian(height), 8, 2, 0, 0, 0];
  return Uint8Array.from([...SIGNATURE, ...chunk('IHDR', header), ...chunk('IDAT', data), ...chunk('IEND', [])]);
}

/** Reads files of `encodePng`, where there is no browser to do it. */
export const decodeOwnPng: DecodePicture = async (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const rowLength = 5 + 1 + 3 * width; // a stored block's head, the filter byte, the pixels
  if (bytes.length < DATA_START + rowLength * height) return undefined;
  const at = (x: number, y: number) => DATA_START + y * rowLength + 6 + 3 * x;
  return {
    width,
    height,
    pixels: (square) =>
      Uint8ClampedArray.from({ length: square.size ** 2 * 4 }, (_, i) => {
        const [pixel, channel] = [Math.floor(i / 4), i % 4];
        const start = at(square.x + (pixel % square.size), square.y + Math.floor(pixel / square.size));
        return channel === 3 ? 255 : (bytes[start + channel] ?? 0);
      }),
    close: () => undefined,
  };
};

function chunk(name: string, data: readonly number[]): number[] {
  const body = [...Array.from(name, (character) => character.charCodeAt(0)), ...data];
  return [...bigEndian(data.length), ...body, ...bigEndian(crc32(body))];
}

function bigEndian(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
}

function crc32(bytes: readonly number[]): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function adler32(bytes: readonly number[]): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return ((high << 16) | low) >>> 0;
}

/** Base64 as it stands in a request. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
