import type { Span } from '../../src/contract/code-points.ts';

/**
 * The span of each piece of a byte-level BPE in its text.
 *
 * @param text    well-formed Unicode
 * @param pieces  tokens in the printable alphabet of GPT-2's byte-level BPE (`Ġ` = space), in order
 * @returns       UTF-16 spans, `[pieces]`; a piece that holds a part of a character spans the whole character
 * @throws        {RangeError} when the pieces do not add up to the text's UTF-8 bytes
 * @source        Radford et al. 2019, byte-level BPE; the alphabet of `bytes_to_unicode`
 */
export function byteLevelSpans(text: string, pieces: readonly string[]): Span[] {
  const unitAt = utf16OffsetOfBytes(text);
  let byte = 0;
  const spans = pieces.map((piece) => {
    const first = byte;
    byte += piece.length; // each printable character stands for a byte; added tokens such as `<|endoftext|>` are ASCII
    const start = unitAt.startOf(first);
    return { start, length: unitAt.endOf(byte) - start };
  });
  if (byte !== unitAt.bytes) throw new RangeError(`expected pieces of ${unitAt.bytes} bytes in all, got ${byte}`);
  return spans;
}

function utf16OffsetOfBytes(text: string) {
  const starts: number[] = []; // byte → UTF-16 offset of the character it belongs to
  const ends: number[] = []; // byte → UTF-16 offset just after that character
  let unit = 0;
  for (const character of text) {
    const bytes = utf8Length(character.codePointAt(0) ?? 0);
    for (let i = 0; i < bytes; i++) {
      starts.push(unit);
      ends.push(unit + character.length);
    }
    unit += character.length;
  }
  return {
    bytes: starts.length,
    startOf: (byte: number) => starts[byte] ?? unit,
    endOf: (byte: number) => ends[byte - 1] ?? 0,
  };
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/**
 * The span of each surface form in a text, for tokenisers that normalise (lower-case, strip accents, add spaces).
 *
 * @param surfaces  what each token shows, without its word-boundary mark
 * @returns         UTF-16 spans, `[surfaces]`; a surface that is not found (an unknown token) has length 0
 */
export function alignedSpans(text: string, surfaces: readonly string[]): Span[] {
  const folded = fold(text);
  let cursor = 0;
  return surfaces.map((surface) => {
    const wanted = fold(surface.trim()).text;
    const at = wanted === '' ? -1 : folded.text.indexOf(wanted, cursor);
    if (at < 0) return { start: folded.offsets[cursor] ?? text.length, length: 0 };
    cursor = at + wanted.length;
    const start = folded.offsets[at] ?? 0;
    return { start, length: (folded.offsets[cursor] ?? text.length) - start };
  });
}

function fold(text: string) {
  let out = '';
  const offsets: number[] = [];
  let unit = 0;
  for (const character of text) {
    const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    for (let i = 0; i < plain.length; i++) offsets.push(unit);
    out += plain;
    unit += character.length;
  }
  offsets.push(unit);
  return { text: out, offsets };
}

/**
 * Spans as the contract reports them: one leading space is cut off, except from the first token of a text, which keeps
 * it. A token that is a single space stays as it is.
 *
 * @source contract facts §1.5, token spans
 */
export function withoutLeadingSpace(text: string, spans: readonly Span[]): Span[] {
  return spans.map((span, index) =>
    index > 0 && span.length > 1 && text[span.start] === ' '
      ? { start: span.start + 1, length: span.length - 1 }
      : span,
  );
}

/**
 * The printable characters that byte-level BPE files use for bytes: printable Latin-1 stands for itself, every other
 * byte for the next code point from U+0100 on.
 *
 * @source Radford et al. 2019, `bytes_to_unicode`
 */
export const byteAlphabet = createByteAlphabet();

function createByteAlphabet() {
  const characterOf = Array.from({ length: 256 }, (_, byte) => (isPrintable(byte) ? String.fromCharCode(byte) : ''));
  let next = 0x100;
  characterOf.forEach((character, byte) => {
    if (character === '') characterOf[byte] = String.fromCharCode(next++);
  });
  const byteOf = new Map(characterOf.map((character, byte) => [character, byte]));
  return {
    /** Text → printable characters of its UTF-8 bytes. */
    encode: (text: string) => Array.from(new TextEncoder().encode(text), (byte) => characterOf[byte]).join(''),
    /** Printable characters → text; incomplete characters become U+FFFD, those outside the alphabet are dropped, a byte-order mark stays. */
    decode: (piece: string) => {
      const bytes = Array.from(piece, (character) => byteOf.get(character)).filter((byte) => byte !== undefined);
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
    },
  };
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}
