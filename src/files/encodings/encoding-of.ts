import { alphabetEncoding } from './alphabet-encodings.ts';
import { eastAsianEncoding } from './east-asian-encodings.ts';

/** Length of the sample, bytes: it starts with the first line that is not ASCII. */
const SAMPLE = 2 ** 14;

/** How far back the start of that line is searched for, bytes. */
const MAX_LINE = 2 ** 10;

/**
 * The encoding of bytes that are not UTF-8, as a label of `TextDecoder`: the only one in which they are words of one language. Null if
 * several encodings or none fit: a wrong one would change the text unnoticed.
 *
 * @source Encoding Standard (encoding.spec.whatwg.org) for the labels and their tables
 */
export function encodingOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  const sample = sampleOf(bytes);
  return (
    (bytes.length % 2 === 0 ? unmarkedUtf16(sample) : null) ?? eastAsianEncoding(sample) ?? alphabetEncoding(sample)
  );
}

/** The sample starts at the beginning of a line: no encoding here uses the line feed as a byte of a longer character, except UTF-16, whose sample starts at byte 0. */
function sampleOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte > 0x7f || byte === 0),
  );
  const line = bytes.subarray(Math.max(0, first - MAX_LINE), first).lastIndexOf(10) + 1;
  const start = Math.max(0, first - MAX_LINE) + line;
  return bytes.includes(0) ? bytes.subarray(0, SAMPLE) : bytes.subarray(start, start + SAMPLE);
}

/** Characters that no text has, besides control characters, which are refused in every encoding. */
const NO_TEXT = /[\p{Cn}\p{Co}\p{Cs}\uFFFD]/u;

/** UTF-16 without its mark: the zeros of spaces and ASCII letters are all at even places, or all at odd ones. */
function unmarkedUtf16(bytes: Uint8Array<ArrayBuffer>): string | null {
  const zeros = [0, 0];
  bytes.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if ((even === 0) === (odd === 0)) return null;
  const encoding = even > 0 ? 'utf-16be' : 'utf-16le';
  return NO_TEXT.test(new TextDecoder(encoding).decode(bytes, { stream: true })) ? null : encoding;
}
