import { codePointMap } from '../../../src/contract/code-points.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { PromptItem, TextControl, TokenControl } from '../../../src/contract/prompt.ts';
import type { ControlOptions } from '../../../src/protocol/jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { TokenizedText, Tokenizer } from '../../engine/loading/tokenizer.ts';
import type { EmbeddingOverride } from '../../engine/network.ts';
import { overrideRows } from '../../engine/session/embedding-table.ts';
import { combined, factorsOnText, spread, type PositionFactor, cosineOf } from '../../kernels/attention-control.ts';
import type { SeenPicture } from '../../kernels/images/image-tiles.ts';
import { pictureFactors, readPicture } from './picture.ts';

/** A prompt item's place in the sequence. */
export type SequenceItem =
  | { readonly type: 'text'; readonly first: number; readonly count: number; readonly tokenized: TokenizedText }
  | { readonly type: 'token_ids'; readonly first: number; readonly count: number }
  | { readonly type: 'image'; readonly first: number; readonly count: number; readonly seen: SeenPicture };

/** A prompt as the network reads it. */
export interface Sequence {
  /** Ids of the frame around the prompt's; 0 stands where a picture does. */
  readonly ids: readonly number[];
  /** What the network reads of pictures. */
  readonly embeddingOverrides: readonly EmbeddingOverride[];
  /** Number of ids in front of the prompt; they are neither counted nor pooled nor explained. */
  readonly specials: number;
  readonly items: readonly SequenceItem[];
  /** Factors that the items' controls put on positions. */
  readonly controls: ReadonlyMap<number, number>;
}

/** What the model reads around a prompt, and how the prompt is named in messages. */
export interface Frame {
  readonly path: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Tokenises and concatenates prompt items; pictures are decoded and encoded.
 *
 * @param frame  left out: the special ids that the model expects in front
 * @throws {FailureError} INVALID_REQUEST for an empty prompt, an unknown token id, a control outside its item, text that
 *   is not well-formed or a picture that `readPicture` refuses; PROMPT_TOO_LONG; MISSING_CAPABILITY for an image that the
 *   model cannot read
 */
export async function sequenceOf(
  prompt: readonly PromptItem[],
  model: LoadedModel,
  frame: Frame = { path: 'prompt', before: model.tokenizer.prefix, after: [] },
): Promise<Sequence> {
  const specials = frame.before.length;
  const limit = model.network.shape.contextTokens - frame.after.length;
  const ids = [...frame.before];
  const items: SequenceItem[] = [];
  const embeddingOverrides: EmbeddingOverride[] = [];
  const factors: PositionFactor[] = [];
  for (const [index, item] of prompt.entries()) {
    const place = { first: ids.length, path: `${frame.path}[${index}]`, frame, limit };
    const piece = item.type === 'image' ? await picturePiece(item, place, model) : pieceOf(item, place, model);
    ids.push(...piece.ids);
    items.push(piece.item);
    factors.push(...piece.factors);
    if (piece.rows) embeddingOverrides.push({ position: place.first, rows: piece.rows });
  }
  checkLength(ids.length - specials, { path: frame.path, limit: limit - specials });
  return { ids: [...ids, ...frame.after], embeddingOverrides, specials, items, controls: combined(factors) };
}

/** Where an item begins in the sequence, and how it is named in messages. */
interface Place {
  readonly first: number;
  readonly path: string;
  readonly frame: Frame;
  /** First position behind the prompt. */
  readonly limit: number;
}

/** What an item adds to the sequence. */
interface Piece {
  readonly ids: readonly number[];
  readonly item: SequenceItem;
  readonly factors: readonly PositionFactor[];
  readonly rows?: Float32Array;
}

function pieceOf(
  item: Exclude<PromptItem, ImageItem>,
  { first, path, limit }: Place,
  { tokenizer }: LoadedModel,
): Piece {
  if (item.type === 'text') {
    const tokenized = tokenizeWithin(tokenizer, item.data, { path: `${path}.data`, limit });
    const { ids } = tokenized;
    const factors = textFactors(item.controls ?? [], tokenized, first, path);
    return { ids, item: { type: 'text', first, count: ids.length, tokenized }, factors };
  }
  checkIds(item.data, tokenizer.vocabulary, `${path}.data`);
  const count = item.data.length;
  const factors = tokenFactors(item.controls ?? [], count, first, path);
  return { ids: item.data, item: { type: 'token_ids', first, count }, factors };
}

type ImageItem = Extract<PromptItem, { type: 'image' }>;

/** A picture that no longer fits is refused before time is spent on it. */
async function picturePiece(item: ImageItem, { first, path, frame, limit }: Place, { images }: LoadedModel) {
  if (!images)
    throw new FailureError('MISSING_CAPABILITY', `${path}: this model reads text and token ids, got an image`);
  const reader = await images();
  const { tokens: count } = reader;
  const specials = frame.before.length;
  if (first + count > limit) throw tooLong(frame.path, `at least ${first + count - specials}`, limit - specials);
  const { seen, rows } = await readPicture(item, path, reader);
  const factors = pictureFactors(item.controls ?? [], seen, first, path);
  const ids = new Array<number>(count).fill(0);
  return { ids, item: { type: 'image', first, count, seen }, factors, rows } satisfies Piece;
}

/**
 * Tokens of a text; one that cannot fit is refused before time is spent on it.
 *
 * @throws {FailureError} INVALID_REQUEST for lone surrogates, PROMPT_TOO_LONG
 */
export function tokenizeWithin(
  tokenizer: Tokenizer,
  text: string,
  { path, limit }: { path: string; limit: number },
): TokenizedText {
  checkWellFormed(text, path);
  const least = Math.ceil(text.length / tokenizer.longestPiece);
  if (least > limit) throw tooLong(path, `at least ${least}`, limit);
  return tokenizer.tokenize(text);
}

/** @throws {FailureError} INVALID_REQUEST for lone surrogates: no tokeniser can read them */
export function checkWellFormed(text: string, path: string): void {
  const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(text);
  if (lone)
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}: expected well-formed Unicode, got a lone surrogate at UTF-16 offset ${lone.index}`,
    );
}

function checkIds(ids: readonly number[], vocabulary: number, path: string): void {
  const bad = ids.findIndex((id) => id >= vocabulary);
  if (bad >= 0)
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}[${bad}]: expected a token id below ${vocabulary}, got ${ids[bad]}`,
    );
}

function checkLength(tokens: number, { path, limit }: { path: string; limit: number }): void {
  if (tokens === 0)
    throw new FailureError('INVALID_REQUEST', `${path}: expected at least one token, got an empty prompt`);
  if (tokens > limit) throw tooLong(path, `${tokens}`, limit);
}

/** The one way to say that something does not fit the context. */
export function tooLong(path: string, got: string, limit: number): FailureError {
  return new FailureError('PROMPT_TOO_LONG', `${path}: expected at most ${limit} tokens, got ${got}`);
}

function textFactors(controls: readonly TextControl[], { text, spans }: TokenizedText, first: number, path: string) {
  const map = codePointMap(text);
  return controls.flatMap(({ start, length, factor, token_overlap: overlap }, i) => {
    if (start + length > map.length)
      throw new FailureError(
        'INVALID_REQUEST',
        `${path}.controls[${i}]: expected start + length of at most ${map.length}, got ${start + length}`,
      );
    const control = { ...map.toUtf16({ start, length }), factor, overlap: overlap ?? ('partial' as const) };
    return factorsOnText(control, spans, first);
  });
}

function tokenFactors(controls: readonly TokenControl[], count: number, first: number, path: string): PositionFactor[] {
  return controls.map(({ index, factor }, i) => {
    if (index >= count)
      throw new FailureError(
        'INVALID_REQUEST',
        `${path}.controls[${i}].index: expected less than ${count}, got ${index}`,
      );
    return { position: first + index, factor };
  });
}

/**
 * A function that spreads factors to similar positions of one sequence; without a threshold it spreads nothing.
 *
 * @param ids     the whole sequence as it is fed, special ids included
 * @param placed  what stands in place of ids: a picture's tiles are compared by what the image encoder makes of them
 * @source        contract facts §2.2
 */
export async function spreader(
  { network }: LoadedModel,
  ids: readonly number[],
  { contextualThreshold: threshold }: ControlOptions,
  embeddingOverrides: readonly EmbeddingOverride[] = [],
): Promise<(explicit: ReadonlyMap<number, number>) => ReadonlyMap<number, number>> {
  if (threshold === null) return (explicit) => explicit;
  const { width } = network.shape;
  const rows = await network.embeddings(Int32Array.from(ids));
  overrideRows(rows, embeddingOverrides, { first: 0, width });
  const similarity = cosineOf(rows, width);
  return (explicit) => spread(explicit, { threshold, positions: ids.length, similarity });
}
