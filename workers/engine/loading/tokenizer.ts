import { Tokenizer as TokenizerModel } from '@huggingface/tokenizers';
import type { Span } from '../../../src/contract/code-points.ts';
import { alignedSpans, byteLevelSpans, withoutLeadingSpace, byteAlphabet } from '../../kernels/text/token-spans.ts';

/** A text as the model reads it. */
export interface TokenizedText {
  readonly text: string;
  readonly ids: readonly number[];
  /** UTF-16 spans as the contract reports them, `[ids]`. */
  readonly spans: readonly Span[];
}

/** Text to token ids and back, with the place of every token in the text. */
export interface Tokenizer {
  /** Tokens of the text alone; nothing is added. */
  tokenize(text: string): TokenizedText;
  /** What a token shows, with its leading space; a part of a character shows as U+FFFD. */
  show(id: number): string;
  /** The text that ids stand for. Where they are no valid UTF-8, each is shown by itself. */
  read(ids: readonly number[]): TokenizedText;
  /** Two texts in one sequence, with the special ids that the model expects around and between them. */
  pair(first: readonly number[], second: readonly number[]): Pair;
  /** Special ids that the model expects in front of every text, such as a beginning-of-sequence mark. */
  readonly prefix: readonly number[];
  /** Special ids that the model was trained with behind every text, such as a separator. */
  readonly suffix: readonly number[];
  /** Ids are below this. */
  readonly vocabulary: number;
  /** UTF-16 units of the longest piece: a text of more than this × tokens cannot fit into that many tokens. */
  readonly longestPiece: number;
}

/** Two texts as one sequence. */
export interface Pair {
  readonly ids: readonly number[];
  /** Which of the two texts a position counts to, 0 or 1, `[ids]`; what BERT calls token types. */
  readonly segments: readonly number[];
  /** Position of the second text's first token. */
  readonly second: number;
}

/**
 * The tokenizer of a hub-layout folder.
 *
 * @param json    `tokenizer.json`, parsed
 * @param config  `tokenizer_config.json`, parsed
 */
export function createTokenizer(json: object, config: object): Tokenizer {
  const model = new TokenizerModel(json, config);
  const added = new Map([...model.get_added_tokens_decoder()].map(([id, { content }]) => [id, content]));
  const surface = isByteLevel(json)
    ? byteLevelSurface(model, added)
    : markedSurface(model, added, fallsBackToBytes(json));
  return {
    tokenize: (text) => tokenize(model, surface, text),
    show: surface.show,
    read: (ids) => read(surface, ids),
    pair: pairer(model),
    ...specialsAround(model),
    ...vocabularyOf(model),
  };
}

/** How the pieces of one kind of tokenizer relate to text. */
interface Surface {
  show(id: number): string;
  text(ids: readonly number[]): string;
  spans(text: string, ids: readonly number[]): Span[];
}

function tokenize(model: TokenizerModel, surface: Surface, text: string): TokenizedText {
  const { ids } = model.encode(text, { add_special_tokens: false });
  return { text, ids, spans: withoutLeadingSpace(text, surface.spans(text, ids)) };
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

/** Whether SentencePiece writes what has no piece as bytes, such as `<0x0A>`. */
function fallsBackToBytes(json: object): boolean {
  const model: unknown = Reflect.get(json, 'model');
  return typeof model === 'object' && model !== null && Reflect.get(model, 'byte_fallback') === true;
}

const BYTE = /^<0x([0-9A-F]{2})>$/;

/** SentencePiece marks a word's beginning with `▁`, WordPiece its continuation with `##`. */
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

/** Texts as they are, and runs of bytes as the UTF-8 that they make up. */
function textOfParts(parts: readonly (string | number)[]): string {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  const encoder = new TextEncoder();
  const bytes = parts.flatMap((part) => (typeof part === 'number' ? [part] : [...encoder.encode(part)]));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

function read(surface: Surface, ids: readonly number[]): TokenizedText {
  const text = surface.text(ids);
  if (!text.includes('\uFFFD')) return { text, ids, spans: withoutLeadingSpace(text, surface.spans(text, ids)) };
  let end = 0;
  const shown = ids.map(surface.show);
  const spans = shown.map(({ length }) => ({ start: (end += length) - length, length }));
  return { text: shown.join(''), ids, spans: withoutLeadingSpace(shown.join(''), spans) };
}

/** What the post-processor puts around a text; read off an example, since every kind writes it differently. */
function specialsAround(model: TokenizerModel): Pick<Tokenizer, 'prefix' | 'suffix'> {
  const bare = model.encode('a', { add_special_tokens: false }).ids;
  const full = model.encode('a', { add_special_tokens: true }).ids;
  const begin = placeOf(bare, full, 0);
  return { prefix: full.slice(0, begin), suffix: full.slice(begin + bare.length) };
}

/** Reads the special ids off an example, as `specialsAround` does. */
function pairer(model: TokenizerModel): Tokenizer['pair'] {
  const bare = (text: string) => model.encode(text, { add_special_tokens: false }).ids;
  const full = model.encode('a', { text_pair: 'b', return_token_type_ids: true });
  const [a, b] = [bare('a'), bare('b')];
  const firstAt = placeOf(a, full.ids, 0);
  const secondAt = placeOf(b, full.ids, firstAt + a.length);
  const types = full.token_type_ids ?? []; // left out, against its declaration, where the tokenizer adds nothing
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

/** Where `part` begins in `ids`, at `from` or later; `from` when it does not stand there. */
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
