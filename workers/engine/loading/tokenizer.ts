import type { Span } from '../../../src/contract/code-points.ts';
import { FailureError, messageOf } from '../../../src/contract/failure.ts';
import { coveringSpans, withoutLeadingSpace } from '../tokenizer/token-spans.ts';
import { threadHeartbeats } from '../device/guard.ts';
import { refuse } from '../network.ts';
import { type AddedToken, readAddedTokens } from '../tokenizer/added-tokens.ts';
import { createDecoder } from '../tokenizer/decoder.ts';
import { type JsonPart, partOf, refuseField } from '../tokenizer/json-fields.ts';
import { createPipeline } from '../tokenizer/pipeline.ts';
import { type SpecialIds, specialIds } from '../tokenizer/special-ids.ts';
import { createSurface, type Surface } from '../tokenizer/surface.ts';
import { createWordModel, modelKind } from '../tokenizer/word-models.ts';

interface TokenizedText {
  readonly text: string;
  readonly ids: readonly number[];
  /** UTF-16 spans as the contract reports them, `[ids]`: in order, overlapping only where tokens share a character. */
  readonly spans: readonly Span[];
}

/** Text to token ids and back, with the place of every token in the text. */
export interface Tokenizer extends SpecialIds, Surface {
  /**
   * Tokens of the text alone; nothing is added. The bytes of a character share its place, and a mark that the tokenizer puts before
   * a word has that of the word's first character. Every character but white space is in the place of a token.
   */
  tokenize(text: string): TokenizedText;
  /** A token as the vocabulary has it, with its mark for a space. */
  piece(id: number): string;
  /** Ids are below this. */
  readonly vocabulary: number;
  /** UTF-16 units of the longest token: n tokens hold at most n times as many. */
  readonly longestPiece: number;
}

/**
 * The tokenizer of a folder by any maker.
 *
 * @param json    `tokenizer.json`, parsed
 * @param config  `tokenizer_config.json`, parsed
 * @throws {FailureError} MODEL_UNAVAILABLE naming file and field
 */
export function createTokenizer(json: object, config: object): Tokenizer {
  try {
    return tokenizerOf({ path: '', value: json }, config);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    // The library's message names no file; whatever it throws, the file is the cause.
    return refuse(`tokenizer.json cannot be read as a tokenizer: ${messageOf(error)}`);
  }
}

function tokenizerOf(json: JsonPart, config: object): Tokenizer {
  const part = partOf(json, 'model') ?? refuseField('model', 'an object', undefined);
  const model = createWordModel(part);
  const added = readAddedTokens(json);
  const addedIds = new Map(added.map(({ content, id }) => [content, id]));
  const tokensOf = createPipeline(json, config, { model, added });
  const { pieces, ...size } = piecesOf(model.vocabulary, added);
  const decode = createDecoder(partOf(json, 'decoder'), { isByteLevel: isByteLevel(json), model: modelKind(part) });
  const contents = new Map(added.map(({ id, content }) => [id, content]));
  const surface = createSurface((id, isFirst) => contents.get(id) ?? decode(pieces[id] ?? '', isFirst));
  return {
    tokenize(text) {
      const tokens = withinTime(text, tokensOf);
      const spans = tokens.map(({ start, end }) => ({ start, length: end - start }));
      const ids = tokens.map(({ id }) => id);
      return { text, ids, spans: withoutLeadingSpace(text, coveringSpans(text, spans)) };
    },
    piece: (id) => pieces[id] ?? '',
    ...surface,
    bytesOf: (id) => (contents.has(id) ? new Uint8Array() : surface.bytesOf(id)),
    ...specialIds(json, (token) => addedIds.get(token) ?? model.vocabulary.get(token)),
    ...size,
  };
}

/** Backtracking in a pattern of `tokenizer.json` can take exponential time; this is far above what any other tokenizer takes. */
const LIMIT = { ms: 10_000, charactersPerMs: 20 } as const;

/** @throws what `read` throws; where it does not end, the job fails with MODEL_UNAVAILABLE */
function withinTime<Value>(text: string, read: (text: string) => Value): Value {
  const ms = LIMIT.ms + text.length / LIMIT.charactersPerMs;
  const message = `tokenizer.json: expected ${text.length} characters as tokens within ${Math.round(ms / 1000)} s, got none; its patterns take too long`;
  const lift = threadHeartbeats.limit({ ms, failure: { code: 'MODEL_UNAVAILABLE', message } });
  try {
    return read(text);
  } finally {
    lift();
  }
}

/** Whether a step writes the bytes of a text as characters. */
function isByteLevel({ value }: JsonPart): boolean {
  return /"type":\s*"ByteLevel"/.test(JSON.stringify({ ...value, model: undefined }));
}

/** Tokens by id, and their sizes. @throws {FailureError} MODEL_UNAVAILABLE for an id that is not a whole number */
function piecesOf(vocabulary: ReadonlyMap<string, number>, added: readonly AddedToken[]) {
  const pieces: string[] = [];
  let longestPiece = 1;
  const add = (piece: string, id: number) => {
    if (!Number.isSafeInteger(id) || id < 0) refuseField(`model.vocab, ${JSON.stringify(piece)}`, 'an id', id);
    pieces[id] = piece;
    longestPiece = Math.max(longestPiece, piece.length);
  };
  for (const [piece, id] of vocabulary) add(piece, id);
  for (const { content, id } of added) add(content, id);
  return { pieces, longestPiece, vocabulary: pieces.length };
}
