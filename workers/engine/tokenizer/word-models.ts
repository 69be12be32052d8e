import { BPE, Unigram, WordPiece } from '@huggingface/tokenizers';
import { flagField, type JsonPart, refuseField, textField } from './json-fields.ts';

/** A token of a word, with its place in the word: UTF-16 units, `[from, to)`. */
export interface WordToken {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** The model of a tokenizer: words to tokens. */
export interface WordModel {
  /**
   * Tokens in order. The bytes of a character share its place; so do unknown characters that the model makes one token of.
   *
   * @edge a character that the vocabulary lacks has no token where the model has no unknown token either
   */
  tokens(word: string): readonly WordToken[];
  /** Tokens by id. */
  readonly vocabulary: ReadonlyMap<string, number>;
}

/**
 * The model of `tokenizer.json`. The split of a word is the library's.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for a kind that is not supported, naming the field
 * @source the tokenizers library, `models`
 */
export function createWordModel(part: JsonPart): WordModel {
  const vocab: unknown = Reflect.get(part.value, 'vocab');
  if (typeof vocab !== 'object' || vocab === null) return refuseField(`${part.path}vocab`, 'a vocabulary', vocab);
  return CREATORS[modelKind(part)](part);
}

/** A kind of model. */
export type ModelKind = keyof typeof CREATORS;

/** The kind of a model; files by old versions of the library do not name it. @throws {FailureError} MODEL_UNAVAILABLE */
export function modelKind(part: JsonPart): ModelKind {
  const named = textField(part, 'type', '');
  if (named === '') return unnamedKind(part.value);
  const kind = KINDS.find((each) => each === named);
  return kind ?? refuseField(`${part.path}type`, KINDS.join(', '), named);
}

function unnamedKind(model: object): ModelKind {
  if (Array.isArray(Reflect.get(model, 'vocab'))) return 'Unigram';
  if ('merges' in model) return 'BPE';
  return 'continuing_subword_prefix' in model ? 'WordPiece' : 'WordLevel';
}

const CREATORS = { BPE: bytePairs, Unigram: unigram, WordPiece: wordPieces, WordLevel: wordLevel };
const KINDS = ['BPE', 'Unigram', 'WordPiece', 'WordLevel'] as const satisfies ModelKind[];

/** Words that are remembered, and their maximum length in UTF-16 units. */
const MAX_WORDS = 20_000;
const MAX_WORD_LENGTH = 128;

/** The model with the tokens of short words kept: most texts repeat theirs. */
export function remembered(model: WordModel): WordModel {
  const known = new Map<string, readonly WordToken[]>();
  const tokens = (word: string) => {
    const before = known.get(word);
    if (before) return before;
    const found = model.tokens(word);
    if (known.size >= MAX_WORDS) known.clear();
    if (word.length <= MAX_WORD_LENGTH) known.set(word, found);
    return found;
  };
  return { ...model, tokens };
}

/** The configuration as the library declares it; it is read from a file, and the library checks its values. */
function configOf<Config extends object>({ value }: JsonPart, changes: Partial<Config>): Config {
  return { ...value, ...changes } as Config;
}

function bytePairs(part: JsonPart): WordModel {
  const prefix = textField(part, 'continuing_subword_prefix', '');
  if (prefix !== '') return refuseField(`${part.path}continuing_subword_prefix`, 'none for BPE', prefix);
  const model = new BPE(
    configOf<ConstructorParameters<typeof BPE>[0]>(part, { unk_token: textField(part, 'unk_token', '') }),
  );
  const vocabulary = model.tokens_to_ids;
  const suffix = textField(part, 'end_of_word_suffix', '').length;
  const pieces = createPieces({
    vocabulary,
    unknown: vocabulary.get(textField(part, 'unk_token', '')),
    fusesUnknown: flagField(part, 'fuse_unk', false),
    fallsBack: flagField(part, 'byte_fallback', false),
  });
  const merged = (word: string) => {
    const symbols = model.bpe(word);
    return pieces(symbols, (symbol, i) => symbol.length - (i === symbols.length - 1 ? suffix : 0));
  };
  const hasToken = (character: string) =>
    vocabulary.has(character) || pieces([character], ({ length }) => length).length > 0;
  return {
    vocabulary,
    tokens(word) {
      const id = model.ignore_merges ? vocabulary.get(word) : undefined;
      if (id !== undefined) return [{ id, from: 0, to: word.length }];
      return suffix === 0 ? withoutOthers(word, hasToken, merged) : merged(word);
    },
  };
}

/** Tokens of a word without the characters that have none: those around them are merged. @source tokenizers, `bpe/model.rs` */
function withoutOthers(
  word: string,
  hasToken: (character: string) => boolean,
  tokensOf: (word: string) => readonly WordToken[],
): readonly WordToken[] {
  if (Array.from(word).every(hasToken)) return tokensOf(word);
  const units: number[] = []; // of the word, for each unit that is kept
  for (const { index, 0: character } of word.matchAll(/[\s\S]/gu))
    if (hasToken(character)) for (let i = 0; i < character.length; i++) units.push(index + i);
  const kept = units.map((unit) => word[unit]).join('');
  return tokensOf(kept).map(({ id, from, to }) => ({ id, from: units[from] ?? 0, to: (units[to - 1] ?? 0) + 1 }));
}

function unigram(part: JsonPart): WordModel {
  const { vocab, unk_id: unknown }: { vocab?: unknown; unk_id?: unknown } = part.value;
  if (!Array.isArray(vocab) || vocab.length === 0) return refuseField(`${part.path}vocab`, 'a list of pieces', vocab);
  const model = new Unigram(configOf<ConstructorParameters<typeof Unigram>[0]>(part, {}), '');
  const vocabulary = model.tokens_to_ids;
  const pieces = createPieces({
    vocabulary,
    unknown: typeof unknown === 'number' ? unknown : undefined,
    fusesUnknown: true,
    fallsBack: flagField(part, 'byte_fallback', false),
  });
  return { vocabulary, tokens: (word) => pieces(model.tokenize(word), ({ length }) => length) };
}

interface PieceOptions {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknown: number | undefined;
  /** Unknown pieces next to each other are one token. */
  readonly fusesUnknown: boolean;
  /** An unknown piece is a token for each byte, where the vocabulary has them all. */
  readonly fallsBack: boolean;
}

const utf8 = new TextEncoder();

/** Tokens of a word's pieces, which are in order and leave nothing out. */
function createPieces({ vocabulary, unknown, fusesUnknown, fallsBack }: PieceOptions) {
  const byteIds = (character: string): readonly number[] => {
    const names = Array.from(
      utf8.encode(character),
      (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    );
    return names.flatMap((name) => vocabulary.get(name) ?? []);
  };
  const bytesOf = (piece: string, from: number): WordToken[] => {
    const tokens: WordToken[] = [];
    let at = from;
    for (const character of piece) {
      const ids = byteIds(character);
      if (ids.length < utf8.encode(character).length) return [];
      for (const id of ids) tokens.push({ id, from: at, to: at + character.length });
      at += character.length;
    }
    return tokens;
  };
  return (pieces: readonly string[], lengthOf: (piece: string, index: number) => number): WordToken[] => {
    const tokens: WordToken[] = [];
    let from = 0;
    let isUnknown = false;
    pieces.forEach((piece, i) => {
      const to = from + lengthOf(piece, i);
      const id = vocabulary.get(piece);
      const bytes = id === undefined && fallsBack ? bytesOf(piece, from) : [];
      const last = tokens.at(-1);
      if (id !== undefined && id !== unknown) tokens.push({ id, from, to });
      else if (bytes.length > 0) for (const byte of bytes) tokens.push(byte);
      else if (last && isUnknown && fusesUnknown) tokens[tokens.length - 1] = { ...last, to };
      else if (unknown !== undefined) tokens.push({ id: unknown, from, to });
      isUnknown = bytes.length === 0 && (id === undefined || id === unknown);
      from = to;
    });
    return tokens;
  };
}

function wordPieces(part: JsonPart): WordModel {
  const continuing_subword_prefix = textField(part, 'continuing_subword_prefix', '##');
  const model = new WordPiece(
    configOf<ConstructorParameters<typeof WordPiece>[0]>(part, { continuing_subword_prefix }),
  );
  const vocabulary = model.tokens_to_ids;
  const unknown = unknownOf(part, vocabulary);
  return {
    vocabulary,
    tokens(word) {
      const pieces = model.encode([word]);
      const isUnknown = pieces.length === 1 && pieces[0] === model.unk_token;
      if (isUnknown) return [{ id: unknown, from: 0, to: word.length }];
      let end = 0;
      return pieces.map((piece, i) => {
        const from = end;
        end += piece.length - (i > 0 ? continuing_subword_prefix.length : 0);
        return { id: vocabulary.get(piece) ?? unknown, from, to: end };
      });
    },
  };
}

function wordLevel(part: JsonPart): WordModel {
  const vocabulary = new Map<string, number>(Object.entries({ ...Object(Reflect.get(part.value, 'vocab')) }));
  const unknown = unknownOf(part, vocabulary);
  return { vocabulary, tokens: (word) => [{ id: vocabulary.get(word) ?? unknown, from: 0, to: word.length }] };
}

/** @throws {FailureError} MODEL_UNAVAILABLE where the vocabulary lacks the unknown token */
function unknownOf(part: JsonPart, vocabulary: ReadonlyMap<string, number>): number {
  const token = textField(part, 'unk_token', '');
  return vocabulary.get(token) ?? refuseField(`${part.path}unk_token`, 'a token of the vocabulary', token);
}
