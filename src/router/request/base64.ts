import { FailureError } from '../../contract/failure.ts';
import { inPieces, LONG_BODY, type BodyPieces } from '../../contract/wire/long-body.ts';
import type { Pause } from '../pause.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Value of a character code; 255 for one outside the alphabet. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)) & 255);

/**
 * Bytes of a file that a request contains as base64: the standard alphabet, padded, nothing else in between. `atob`
 * skips white space and does not say where it fails; a file of megabytes is decoded in pieces, into memory that workers
 * can share.
 *
 * @param pieces  of the text in the request
 * @param path    of the text in the request
 * @throws {FailureError} INVALID_REQUEST with the first character that does not belong there
 * @source RFC 4648, sections 3.5 and 4
 */
export async function decodeBase64(pieces: BodyPieces, path: string, pause: Pause): Promise<Uint8Array> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const padding = paddingOf(pieces);
  const characters = length - padding;
  const bytes = new Uint8Array(memoryFor(Math.floor((characters * 3) / 4)));
  let bits = 0;
  let offset = 0;
  for (const piece of pieces.flatMap(inPieces)) {
    const count = Math.min(piece.length, characters - offset);
    bits = decodePiece(piece.slice(0, count), path, { offset, bits, bytes });
    offset += piece.length;
    await pause();
  }
  if (length % 4 !== 0) throw invalid(path, `${length} characters, no multiple of 4`);
  if (leftOver(bits, padding) !== 0)
    throw invalid(path, unexpected(characterAt(pieces, characters - 1), characters - 1));
  return bytes;
}

/** A worker gets shared memory without a copy, which of a large file would take long. Browsers without it copy. */
function memoryFor(bytes: number): ArrayBufferLike {
  const isShared = bytes > LONG_BODY && globalThis.crossOriginIsolated && 'SharedArrayBuffer' in globalThis;
  return isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}

interface Decoding {
  /** Of the piece in the whole text. */
  readonly offset: number;
  /** Read before the piece, of which some may belong to no byte yet. */
  readonly bits: number;
  /** Of the whole text; the piece's own are written. */
  readonly bytes: Uint8Array;
}

/** @returns the last bits that were read */
function decodePiece(piece: string, path: string, { offset, bits: before, bytes }: Decoding): number {
  let bits = before;
  for (let i = 0; i < piece.length; i++) {
    const value = VALUES[piece.charCodeAt(i)] ?? 255;
    const at = offset + i;
    if (value === 255) throw invalid(path, unexpected(piece[i], at));
    bits = ((bits << 6) | value) & 0xffffff;
    // Of four characters the second, third and fourth each complete a byte.
    if (at % 4 > 0) bytes[Math.floor(at / 4) * 3 + (at % 4) - 1] = bits >> (6 - 2 * (at % 4));
  }
  return bits;
}

function paddingOf(pieces: BodyPieces): number {
  const end = pieces.slice(-3).join('').slice(-2);
  return end === '==' ? 2 : Number(end.endsWith('='));
}

function characterAt(pieces: BodyPieces, offset: number): string | undefined {
  let before = 0;
  for (const piece of pieces) {
    if (offset < before + piece.length) return piece[offset - before];
    before += piece.length;
  }
  return undefined;
}

/** Bits behind the last whole byte, which must be 0. */
function leftOver(bits: number, padding: number): number {
  return padding === 0 ? 0 : bits & (padding === 2 ? 0b1111 : 0b11);
}

function unexpected(character: string | undefined, offset: number): string {
  return `${JSON.stringify(character)} at offset ${offset}`;
}

function invalid(path: string, got: string): FailureError {
  return new FailureError(
    'INVALID_REQUEST',
    `${path}: expected base64 of the standard alphabet with its padding, got ${got}`,
  );
}
