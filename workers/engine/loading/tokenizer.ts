import { messageOf } from '../../../src/contract/failure.ts';
import { Tokenizer as TokenizerModel } from '@huggingface/tokenizers';
import type { Span } from '../../../src/contract/code-points.ts';
import { refuse } from '../refusal.ts';

/** A text as token ids. */
interface TokenizedText {
  readonly text: string;
  readonly ids: readonly number[];
  /** UTF-16 spans as the contract reports them, `[ids]`. */
  readonly spans: readonly Span[];
}

/** Text to token ids and back, with the place of every token in the text. */
export interface Tokenizer {
  /** Tokens of the text alone; nothing is added. */
  tokenize(text: string): TokenizedText;
  /** The text of a token, with its leading space; a part of a character is U+FFFD. */
  show(id: number): string;
  /** The text of ids. Where they are not valid UTF-8, the texts of the single ids, joined. */
  read(ids: readonly number[]): TokenizedText;
  /** Two texts in one sequence, with the special ids that the model expects around and between them. */
  pair(first: readonly number[], second: readonly number[]): Pair;
  /** Special ids that the model expects before every text, such as a beginning-of-sequence mark. */
  readonly prefix: readonly number[];
  /** Special ids that the model expects after every text, such as a separator. */
  readonly suffix: readonly number[];
  /** Ids are below this. */
  readonly vocabulary: number;
  /** UTF-16 units of the longest token: n tokens hold at most n times as many. */
  readonly longestPiece: number;
}

/** Two texts as one sequence. */
interface Pair {
  readonly ids: readonly number[];
  /** The text of each position, 0 or 1, `[ids]`: BERT's token types. */
  readonly segments: readonly number[];
  /** Position of the second text's first token. */
  readonly second: number;
}

/**
 * The tokenizer of a folder by any maker.
 *
 * @param json    `tokenizer.json`, parsed
 * @param config  `tokenizer_config.json`, parsed
 * @throws {FailureError} MODEL_UNAVAILABLE naming file and field
 */
export function createTokenizer(json: object, config: object): Tokenizer {
  const model: unknown = Reflect.get(json, 'model');
  if (typeof model !== 'object' || model === null) return refuseField('model', 'an object', model);
  const vocabulary: unknown = Reflect.get(model, 'vocab');
  if (typeof vocabulary !== 'object' || vocabulary === null)
    return refuseField('model.vocab', 'a vocabulary', vocabulary);
  try {
    return tokenizerOf(json, config);
  } catch (error) {
    // The library's message names no file; whatever it throws, the file is the cause.
    const cause = messageOf(error);
    return refuse(`tokenizer.json cannot be read as a tokenizer: ${cause}`);
  }
}

function refuseField(field: string, expected: string, got: unknown): never {
  const shown = JSON.stringify(got)?.slice(0, 60) ?? 'nothing';
  return refuse(`tokenizer.json: ${field}: expected ${expected}, got ${shown}`);
}

function tokenizerOf(json: object, config: object): Tokenizer {
  const model = new TokenizerModel(json, config);
  const added = new Map([...model.get_added_tokens_decoder()].map(([id, { content }]) => [id, content]));
  const surface = isByteLevel(json)
    ? byteLevelSurface(model, added)
    : markedSurface(model, added, fallsBackToBytes(json));
  const tokenized = (text: string, ids: readonly number[], spans: Span[]): TokenizedText => {
    return { text, ids, spans: withoutLeadingSpace(text, spans) };
  };
  return {
    tokenize(text) {
      const ids = idsOf(model, text);
      return tokenized(text, ids, surface.spans(text, ids));
    },
    show: surface.show,
    read(ids) {
      const text = surface.text(ids);
      if (!text.includes('\uFFFD')) return tokenized(text, ids, surface.spans(text, ids));
      let end = 0;
      const shown = ids.map(surface.show);
      const spans = shown.map(({ length }) => ({ start: (end += length) - length, length }));
      return tokenized(shown.join(''), ids, spans);
    },
    pair: pairer(model),
    ...specialsAround(model),
    ...vocabularyOf(model),
  };
}

/** Without special ids. */
function idsOf(model: TokenizerModel, text: string): number[] {
  return model.encode(text, { add_special_tokens: false }).ids;
}

/** The text of tokens, by the kind of tokenizer. */
interface Surface {
  show(id: number): string;
  text(ids: readonly number[]): string;
  spans(text: string, ids: readonly number[]): Span[];
}

function isByteLevel(json: object): boolean {
  return /"type":\s*"ByteLevel"/.test(JSON.stringify({ ...json, model: undefined }));
}

function byteLevelSurface(model: TokenizerModel, added: ReadonlyMap<number, string>): Surface {
  const piece = (id: number) => {
    const content = added.get(id);
    return content === undefined ? (model.id_to_token(id) ?? '') : byteAlphabet.encode(content);
  };
  return {
    show: (id) => byteAlphabet.decode(piece(id)),
    text: (ids) => byteAlphabet.decode(ids.map(piece).join('')),
    spans: (text, ids) => byteLevelSpans(text, ids.map(piece)),
  };
}

/** Whether SentencePiece encodes unknown characters as bytes, such as `<0x0A>`. */
function fallsBackToBytes(json: object): boolean {
  const model: unknown = Reflect.get(json, 'model');
  return typeof model === 'object' && model !== null && Reflect.get(model, 'byte_fallback') === true;
}

const BYTE = /^<0x([0-9A-F]{2})>$/;

/** SentencePiece marks the beginning of a word with `▁`, WordPiece its continuation with `##`. */
function markedSurface(model: TokenizerModel, added: ReadonlyMap<number, string>, hasBytes: boolean): Surface {
  const byteOf = (id: number): number | undefined => {
    const [, digits] = (hasBytes && BYTE.exec(model.id_to_token(id) ?? '')) || [];
    return digits === undefined ? undefined : Number.parseInt(digits, 16);
  };
  const text = (ids: readonly number[]) => textOfParts(ids.map((id) => byteOf(id) ?? pieceOf(id)));
  const pieceOf = (id: number) => {
    const piece = added.get(id) ?? model.id_to_token(id) ?? '';
    return piece.startsWith('##') ? piece.slice(2) : piece.replaceAll('▁', ' ');
  };
  const show = (id: number) => text([id]);
  return { show, text, spans: (text, ids) => alignedSpans(text, ids.map(show)) };
}

/** Joins texts and bytes of UTF-8. */
function textOfParts(parts: readonly (string | number)[]): string {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  const encoder = new TextEncoder();
  const bytes = parts.flatMap((part) => (typeof part === 'number' ? [part] : [...encoder.encode(part)]));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/** Special ids that the post-processor adds around a text; found by an example, since every kind of it is written differently. */
function specialsAround(model: TokenizerModel): Pick<Tokenizer, 'prefix' | 'suffix'> {
  const bare = idsOf(model, 'a');
  const full = model.encode('a', { add_special_tokens: true }).ids;
  const begin = placeOf(bare, full, 0);
  return { prefix: full.slice(0, begin), suffix: full.slice(begin + bare.length) };
}

/** Finds the special ids by an example, as `specialsAround` does. */
function pairer(model: TokenizerModel): Tokenizer['pair'] {
  const full = model.encode('a', { text_pair: 'b', return_token_type_ids: true });
  const [a, b] = [idsOf(model, 'a'), idsOf(model, 'b')];
  const firstAt = placeOf(a, full.ids, 0);
  const secondAt = placeOf(b, full.ids, firstAt + a.length);
  const types = full.token_type_ids ?? []; // missing, despite its declared type, where the tokenizer adds nothing
  const special = (start: number, end?: number) => {
    const ids = full.ids.slice(start, end);
    return { ids, segments: ids.map((_, i) => types[start + i] ?? 0) };
  };
  const before = special(0, firstAt);
  const between = special(firstAt + a.length, secondAt);
  const after = special(secondAt + b.length);
  return (first, second) => ({
    ids: [...before.ids, ...first, ...between.ids, ...second, ...after.ids],
    segments: [
      ...before.segments,
      ...first.map(() => 0),
      ...between.segments,
      ...second.map(() => 1),
      ...after.segments,
    ],
    second: before.ids.length + first.length + between.ids.length,
  });
}

/** Index of `part` in `ids`, at `from` or later; `from` where there is none. */
function placeOf(part: readonly number[], ids: readonly number[], from: number): number {
  const at = ids.findIndex((_, start) => start >= from && part.every((id, i) => ids[start + i] === id));
  return Math.max(at, from);
}

function vocabularyOf(model: TokenizerModel): Pick<Tokenizer, 'vocabulary' | 'longestPiece'> {
  let vocabulary = 0;
  let longestPiece = 1;
  for (const [piece, id] of model.get_vocab(true)) {
    vocabulary = Math.max(vocabulary, id + 1);
    longestPiece = Math.max(longestPiece, piece.length);
  }
  return { vocabulary, longestPiece };
}

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
