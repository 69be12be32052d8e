import { FailureError } from '../../../src/contract/failure.ts';
import type { JobImage, JobPrompt, JobText, JobTokenIds } from '../../../src/protocol/prompt.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { TokenizedText } from '../../engine/loading/tokenizer.ts';
import type { EmbeddingOverride } from '../../engine/network.ts';
import type { ItemControl } from '../../kernels/control-factors.ts';
import type { SeenPicture } from '../../kernels/images/image-tiles.ts';
import { readPicture } from './image.ts';
import { openingOf } from './instruction.ts';
import { tokenizeWithin, tooLong } from './tokenize.ts';

/** A prompt item's place in the sequence. */
export type SequenceItem =
  | { readonly type: 'text'; readonly first: number; readonly count: number; readonly tokenized: TokenizedText }
  | { readonly type: 'token_ids'; readonly first: number; readonly count: number }
  | { readonly type: 'image'; readonly first: number; readonly count: number; readonly seen: SeenPicture };

/** A prompt as the network reads it. */
export interface Sequence {
  /** Where the prompt stands in the request. */
  readonly path: string;
  /** Ids of the frame around the prompt's; 0 stands where a picture does. */
  readonly ids: readonly number[];
  /** What the network reads of pictures. */
  readonly embeddingOverrides: readonly EmbeddingOverride[];
  /** Number of ids in front of the prompt; they are neither counted nor pooled nor explained. */
  readonly specials: number;
  readonly items: readonly SequenceItem[];
  /** Those of all items. */
  readonly controls: readonly ItemControl[];
}

/** What stands for each position of a picture, so that there are as many tokens as are counted. Decided here. */
export const IMAGE_TOKEN = '<image>';

/** What the model reads around a prompt. */
export interface Frame {
  readonly before: readonly number[];
  /** A text in front of the prompt's, tokenised together with it; its tokens are treated as those before it are. */
  readonly instruction?: string;
  readonly after: readonly number[];
}

/**
 * Tokenises and concatenates prompt items; pictures are decoded and encoded.
 *
 * @param frame  left out: the special ids that the model expects in front
 * @throws {FailureError} INVALID_REQUEST for a prompt without tokens, an unknown token id or a picture that `readPicture`
 *   refuses; PROMPT_TOO_LONG; MISSING_CAPABILITY for an image that the model cannot read
 */
export async function sequenceOf(
  { path, items: given }: JobPrompt,
  model: LoadedModel,
  frame: Frame = { before: model.tokenizer.prefix, after: [] },
): Promise<Sequence> {
  const limit = model.network.shape.contextTokens - frame.after.length;
  const opening = openingOf(given[0], frame.instruction ?? '', model.tokenizer, { path: `${path}[0].data`, limit });
  const ids = [...frame.before, ...opening.instruction];
  const specials = ids.length;
  const items: SequenceItem[] = [];
  const embeddingOverrides: EmbeddingOverride[] = [];
  for (const [index, item] of given.entries()) {
    const place = { first: ids.length, path: `${path}[${index}]`, promptPath: path, specials, limit };
    const read = index === 0 ? opening.text : undefined;
    const piece = item.type === 'image' ? await picturePiece(item, place, model) : pieceOf(item, place, model, read);
    ids.push(...piece.ids);
    items.push(piece.item);
    if (piece.rows) embeddingOverrides.push({ position: place.first, rows: piece.rows });
  }
  const controls = given.flatMap((each, item) => each.controls.map((control) => ({ item, ...control })));
  checkLength(ids.length - specials, { path, limit: limit - specials });
  return { path, ids: [...ids, ...frame.after], embeddingOverrides, specials, items, controls };
}

/**
 * The same for a model that is to go on behind the prompt.
 *
 * @throws {FailureError} as `sequenceOf`, and MISSING_CAPABILITY for an encoder
 */
export async function predictingSequence(prompt: JobPrompt, model: LoadedModel): Promise<Sequence> {
  if (model.network.shape.vocabulary === 0)
    throw new FailureError('MISSING_CAPABILITY', 'model: expected one that predicts tokens, got an encoder');
  return sequenceOf(prompt, model);
}

/** Where an item begins in the sequence, and how it is named in messages. */
interface Place {
  readonly first: number;
  readonly path: string;
  readonly promptPath: string;
  readonly specials: number;
  /** First position behind the prompt. */
  readonly limit: number;
}

/** What an item adds to the sequence. */
interface Piece {
  readonly ids: readonly number[];
  readonly item: SequenceItem;
  readonly rows?: Float32Array;
}

/** @param read  the item's text, where it was tokenised before */
function pieceOf(
  item: JobText | JobTokenIds,
  { first, path, limit }: Place,
  { tokenizer }: LoadedModel,
  read?: TokenizedText,
): Piece {
  if (item.type === 'text') {
    const tokenized = read ?? tokenizeWithin(tokenizer, item.text, { path: `${path}.data`, limit });
    const { ids } = tokenized;
    return { ids, item: { type: 'text', first, count: ids.length, tokenized } };
  }
  checkIds(item.ids, tokenizer.vocabulary, `${path}.data`);
  return { ids: item.ids, item: { type: 'token_ids', first, count: item.ids.length } };
}

/** A picture that no longer fits is refused before time is spent on it. */
async function picturePiece(
  item: JobImage,
  { first, path, promptPath, specials, limit }: Place,
  { images }: LoadedModel,
) {
  if (!images)
    throw new FailureError('MISSING_CAPABILITY', `${path}: this model reads text and token ids, got an image`);
  const reader = await images();
  const { tokens: count } = reader;
  if (first + count > limit) throw tooLong(promptPath, `at least ${first + count - specials}`, limit - specials);
  const { seen, rows } = await readPicture(item, path, reader);
  const ids = new Array<number>(count).fill(0);
  return { ids, item: { type: 'image', first, count, seen }, rows } satisfies Piece;
}

function checkIds(ids: readonly number[], vocabulary: number, path: string): void {
  const bad = ids.findIndex((id) => id >= vocabulary);
  if (bad >= 0)
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}[${bad}]: expected a token id below ${vocabulary}, got ${ids[bad]}`,
    );
}

/** A tokeniser may find nothing in a text that is not empty, such as one of spaces. */
function checkLength(tokens: number, { path, limit }: { path: string; limit: number }): void {
  if (tokens === 0)
    throw new FailureError('INVALID_REQUEST', `${path}: expected at least one token, got an empty prompt`);
  if (tokens > limit) throw tooLong(path, `${tokens}`, limit);
}
