/** What stands in the way of decoding. */
export interface Base64Problem {
  /** UTF-16 offset of the first character that does not belong there; the text's length when it ends too early. */
  readonly offset: number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Value of a character code; 255 for one outside the alphabet. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)) & 255);

/**
 * Bytes of a base64 text: the standard alphabet, padded, nothing else in between. `atob` would skip white space and
 * does not say where it fails.
 *
 * @source RFC 4648, sections 3.5 and 4
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | Base64Problem {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const characters = text.length - padding;
  const bytes = new Uint8Array(Math.floor((characters * 3) / 4));
  let bits = 0;
  for (let i = 0; i < characters; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? 255;
    if (value === 255) return { offset: i };
    bits = ((bits << 6) | value) & 0xffffff;
    // Of four characters the second, third and fourth each complete a byte.
    if (i % 4 > 0) bytes[Math.floor(i / 4) * 3 + (i % 4) - 1] = bits >> (6 - 2 * (i % 4));
  }
  if (text.length % 4 !== 0) return { offset: text.length };
  const leftOver = padding === 0 ? 0 : bits & (padding === 2 ? 0b1111 : 0b11);
  return leftOver === 0 ? bytes : { offset: characters - 1 };
}
