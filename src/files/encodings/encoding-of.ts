import { alphabetEncoding } from './alphabet-encodings.ts';
import { eastAsianEncoding } from './east-asian-encodings.ts';

/** Bytes that are looked at: from the first line that is not ASCII on. */
const SAMPLE = 2 ** 14;

/** Bytes back to the start of a line. */
const MAX_LINE = 2 ** 10;

/**
 * The encoding of bytes that are no UTF-8, as a label of `TextDecoder`: the only one whose letters make words of one language. Null where
 * several do, or none: a wrong one would change the text without a word.
 *
 * @source Encoding Standard (encoding.spec.whatwg.org) for the labels and their tables
 */
export function encodingOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  const sample = sampleOf(bytes);
  return (
    (bytes.length % 2 === 0 ? unmarkedUtf16(sample) : null) ?? eastAsianEncoding(sample) ?? alphabetEncoding(sample)
  );
}

/** A line feed is no part of a character in any of the encodings; in UTF-16 the sample has to begin at an even place. */
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
