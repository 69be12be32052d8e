import { FailureError } from '../../contract/failure.ts';
import type { Pause } from '../pause.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Value of a character code; 255 for one outside the alphabet. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)) & 255);

/** Characters between two pauses, a multiple of 4: some milliseconds of work. */
const CHUNK = 2 ** 18;

/**
 * Bytes of a file that a request contains as base64: the standard alphabet, padded, nothing else in between. `atob`
 * skips white space and does not say where it fails; a file of megabytes is decoded in pieces.
 *
 * @param path  of the text in the request
 * @throws {FailureError} INVALID_REQUEST with the first character that does not belong there
 * @source RFC 4648, sections 3.5 and 4
 */
export async function decodeBase64(text: string, path: string, pause: Pause): Promise<Uint8Array<ArrayBuffer>> {
  const characters = text.length - paddingOf(text);
  const bytes = new Uint8Array(Math.floor((characters * 3) / 4));
  let bits = 0;
  for (let start = 0; start < characters; start += CHUNK) {
    bits = decodePiece(text, path, { start, end: Math.min(start + CHUNK, characters), bytes });
    await pause();
  }
  if (text.length % 4 !== 0) throw invalid(path, `${text.length} characters, no multiple of 4`);
  if (leftOver(bits, text) !== 0) throw invalid(path, unexpected(text, characters - 1));
  return bytes;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  /** Of the whole text; the piece's own are written. */
  readonly bytes: Uint8Array;
}

/** @returns the last bits that were read, of which some may belong to no byte */
function decodePiece(text: string, path: string, { start, end, bytes }: Piece): number {
  let bits = 0;
  for (let i = start; i < end; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? 255;
    if (value === 255) throw invalid(path, unexpected(text, i));
    bits = ((bits << 6) | value) & 0xffffff;
    // Of four characters the second, third and fourth each complete a byte.
    if (i % 4 > 0) bytes[Math.floor(i / 4) * 3 + (i % 4) - 1] = bits >> (6 - 2 * (i % 4));
  }
  return bits;
}

function paddingOf(text: string): number {
  return text.endsWith('==') ? 2 : Number(text.endsWith('='));
}

/** Bits behind the last whole byte, which must be 0. */
function leftOver(bits: number, text: string): number {
  const padding = paddingOf(text);
  return padding === 0 ? 0 : bits & (padding === 2 ? 0b1111 : 0b11);
}

function unexpected(text: string, offset: number): string {
  return `${JSON.stringify(text[offset])} at offset ${offset}`;
}

function invalid(path: string, got: string): FailureError {
  return new FailureError(
    'INVALID_REQUEST',
    `${path}: expected base64 of the standard alphabet with its padding, got ${got}`,
  );
}
