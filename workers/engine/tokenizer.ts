import { Tokenizer as TokenizerModel } from '@huggingface/tokenizers';
import type { Span } from '../../src/contract/code-points.ts';
import { alignedSpans, byteLevelSpans, withoutLeadingSpace } from '../kernels/token-spans.ts';
import { byteAlphabet } from '../kernels/byte-alphabet.ts';

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
  /** Special ids that the model expects in front of every text, such as a beginning-of-sequence mark. */
  readonly prefix: readonly number[];
  /** Ids are below this. */
  readonly vocabulary: number;
  /** UTF-16 units of the longest piece: a text of more than this × tokens cannot fit into that many tokens. */
  readonly longestPiece: number;
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
  const surface = isByteLevel(json) ? byteLevelSurface(model, added) : markedSurface(model, added);
  return {
    tokenize: (text) => tokenize(model, surface, text),
    show: surface.show,
    prefix: specialPrefix(model),
    ...vocabularyOf(model),
  };
}

/** How the pieces of one kind of tokenizer relate to text. */
interface Surface {
  show(id: number): string;
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
    spans: (text, ids) => byteLevelSpans(text, ids.map(piece)),
  };
}

/** SentencePiece marks a word's beginning with `▁`, WordPiece its continuation with `##`. */
function markedSurface(model: TokenizerModel, added: ReadonlyMap<number, string>): Surface {
  const show = (id: number) => {
    const piece = added.get(id) ?? model.id_to_token(id) ?? '';
    return piece.startsWith('##') ? piece.slice(2) : piece.replaceAll('▁', ' ');
  };
  return { show, spans: (text, ids) => alignedSpans(text, ids.map(show)) };
}

/** What the post-processor puts in front of a text; read off an example, since every kind writes it differently. */
function specialPrefix(model: TokenizerModel): number[] {
  const bare = model.encode('a', { add_special_tokens: false }).ids;
  const full = model.encode('a', { add_special_tokens: true }).ids;
  const at = full.findIndex((_, start) => bare.every((id, i) => full[start + i] === id));
  return full.slice(0, Math.max(at, 0));
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
