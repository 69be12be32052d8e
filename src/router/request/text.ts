import { FailureError } from '../../contract/failure.ts';
import { LONG_BODY } from '../../contract/wire/long-body.ts';
import { nextTask } from '../../contract/pause.ts';

/** A text that a tokeniser can read. @throws {FailureError} INVALID_REQUEST at `path` for lone surrogates */
export function wellFormed(text: string, path: string): string {
  if (text.isWellFormed()) return text; // native; on a long document the search below would block the page
  const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(text);
  throw invalid(path, 'well-formed Unicode', `a lone surrogate at UTF-16 offset ${lone?.index}`);
}

/** A text to predict or to answer. @throws {FailureError} INVALID_REQUEST for one that is empty or not well-formed */
export function nonEmptyText(text: string, path: string): string {
  if (text === '') throw invalid(path, 'at least one token', 'an empty string');
  return wellFormed(text, path);
}

/** A request that fits its schema and still cannot be carried out. */
export function invalid(path: string, expected: string, got: string): FailureError {
  return new FailureError('INVALID_REQUEST', `${path}: expected ${expected}, got ${got}`);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Chromium 140, Firefox 133, Safari 18.2. */
type FromBase64 = (text: string) => Uint8Array;

/**
 * Bytes of a file that a request contains as base64: the standard alphabet, padded, nothing else in between. A long one is
 * decoded in a task of its own.
 *
 * @param path  of the text in the request
 * @throws {FailureError} INVALID_REQUEST with the first character that does not belong there
 * @source RFC 4648, sections 3.5 and 4
 */
export async function decodeBase64(text: string, path: string): Promise<Uint8Array> {
  if (text.length > LONG_BODY) await nextTask();
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const bytes = decoded(text);
  // The platform skips white space and missing padding, which the number of bytes shows, and may ignore surplus bits.
  const isExact = text.length % 4 === 0 && bytes?.length === (text.length / 4) * 3 - padding;
  if (isExact && surplusBits(text, padding) === 0) return bytes;
  throw new FailureError(
    'INVALID_REQUEST',
    `${path}: expected base64 of the standard alphabet with its padding, got ${problemIn(text, padding)}`,
  );
}

/** As the platform reads it; undefined where it does not. */
function decoded(text: string): Uint8Array | undefined {
  const { fromBase64 } = Uint8Array as { readonly fromBase64?: FromBase64 };
  try {
    return fromBase64 ? fromBase64.call(Uint8Array, text) : bytesOf(atob(text));
  } catch {
    return undefined; // `problemIn` says what is wrong
  }
}

function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Bits after the last whole byte, which must be 0. */
function surplusBits(text: string, padding: number): number {
  const last = ALPHABET.indexOf(text.charAt(text.length - padding - 1));
  return padding === 0 ? 0 : last & (padding === 2 ? 0b1111 : 0b11);
}

function problemIn(text: string, padding: number): string {
  const characters = text.length - padding;
  const wrong = /[^A-Za-z0-9+/]/.exec(text.slice(0, characters));
  if (!wrong && text.length % 4 !== 0) return `${text.length} characters, no multiple of 4`;
  const offset = wrong?.index ?? characters - 1;
  return `${JSON.stringify(text[offset])} at offset ${offset}`;
}
