import { MAX_FACTOR } from '../../../src/contract/wire/limits.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { ControlOptions, JobImage, JobPrompt, Square } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { ImageReader } from '../../engine/images/image-reader.ts';
import {
  costsOf,
  type EmbeddingOverride,
  type Network,
  type NetworkRun,
  type Perturbation,
} from '../../engine/network.ts';
import { overrideRows } from '../../engine/session/embedding-table.ts';
import { controlFactors, cosineOf, denseFactors, type ItemControl, spread } from '../../kernels/attention-control.ts';
import { unsharedBytes } from '../../kernels/float-arrays.ts';
import { centreSquare, type SeenPicture } from '../../kernels/image-tiles.ts';
import { activationBytes, planPasses } from '../../kernels/batch-plan.ts';

type Tokenizer = LoadedModel['tokenizer'];
type TokenizedText = ReturnType<Tokenizer['tokenize']>;

/** A prompt item's positions in the sequence. */
type SequenceItem =
  | { readonly type: 'text'; readonly first: number; readonly count: number; readonly tokenized: TokenizedText }
  | { readonly type: 'token_ids'; readonly first: number; readonly count: number }
  | { readonly type: 'image'; readonly first: number; readonly count: number; readonly seen: SeenPicture };

/** A prompt as the network reads it. */
export interface Sequence {
  /** The prompt's path in the request. */
  readonly path: string;
  /** Ids of the prompt in its frame; 0 for each position of a picture. */
  readonly ids: readonly number[];
  readonly embeddingOverrides: readonly EmbeddingOverride[];
  /** Number of ids before the prompt; they are neither counted nor pooled nor explained. */
  readonly specials: number;
  readonly items: readonly SequenceItem[];
  readonly controls: readonly ItemControl[];
}

/** The token shown for each position of a picture, so that as many are shown as are counted. Decided here. */
export const IMAGE_TOKEN = '<image>';

/** Ids around a prompt. */
interface PromptFrame {
  readonly before: readonly number[];
  /** A text before the prompt's, tokenised together with it; its tokens are treated as `before`. */
  readonly instruction?: string;
  readonly after: readonly number[];
}

/**
 * Tokenises and concatenates prompt items; pictures are decoded and encoded.
 *
 * @param frame  left out: the special ids that the model expects before a text
 * @throws {FailureError} INVALID_REQUEST for a prompt without tokens, an unknown token id or a picture that `readPicture`
 *   refuses; PROMPT_TOO_LONG; MISSING_CAPABILITY for an image that the model cannot read
 */
export async function sequenceOf(
  { path, items: given }: JobPrompt,
  model: LoadedModel,
  frame: PromptFrame = { before: model.tokenizer.prefix, after: [] },
): Promise<Sequence> {
  const { tokenizer } = model;
  const limit = model.network.shape.contextTokens - frame.after.length;
  const opening = openingOf(given[0], frame.instruction ?? '', tokenizer, { path: `${path}[0].data`, limit });
  const ids = [...frame.before, ...opening.instruction];
  const specials = ids.length;
  const items: SequenceItem[] = [];
  const embeddingOverrides: EmbeddingOverride[] = [];
  for (const [index, item] of given.entries()) {
    const [first, itemPath] = [ids.length, `${path}[${index}]`];
    const dataPath = item.path ?? `${itemPath}.data`;
    if (item.type === 'image') {
      const reader = await imageReader(model, item.path ?? itemPath);
      const { tokens: count } = reader;
      // A picture that does not fit is rejected before it is decoded.
      if (first + count > limit) throw tooLong(path, `at least ${first + count - specials}`, limit - specials);
      const { seen, rows } = await readPicture(item, itemPath, reader);
      ids.push(...new Array<number>(count).fill(0));
      items.push({ type: 'image', first, count, seen });
      embeddingOverrides.push({ position: first, rows });
    } else if (item.type === 'text') {
      const read = index === 0 ? opening.text : undefined;
      const tokenized = read ?? tokenizeWithin(tokenizer, item.text, { path: dataPath, limit });
      append(ids, tokenized.ids);
      items.push({ type: 'text', first, count: tokenized.ids.length, tokenized });
    } else {
      checkIds(item.ids, tokenizer.vocabulary, dataPath);
      append(ids, item.ids);
      items.push({ type: 'token_ids', first, count: item.ids.length });
    }
  }
  const controls = given.flatMap((each, item) => each.controls.map((control) => ({ item, ...control })));
  checkLength(ids.length - specials, { path, limit: limit - specials });
  return { path, ids: [...ids, ...frame.after], embeddingOverrides, specials, items, controls };
}

/** Appends ids, which may be more than a call takes as parameters. */
function append(ids: number[], more: readonly number[]): void {
  for (const id of more) ids.push(id);
}

/** As `sequenceOf`, for a model that continues. @throws {FailureError} MISSING_CAPABILITY for an encoder, too */
export async function predictingSequence(prompt: JobPrompt, model: LoadedModel): Promise<Sequence> {
  if (model.network.shape.vocabulary === 0)
    throw new FailureError('MISSING_CAPABILITY', 'model: expected one that predicts tokens, got an encoder');
  return sequenceOf(prompt, model);
}

async function imageReader({ images }: LoadedModel, path: string): Promise<ImageReader> {
  if (images) return images();
  throw new FailureError('MISSING_CAPABILITY', `${path}: this model reads text and token ids, got an image`);
}

/** @throws {FailureError} INVALID_REQUEST for an id that the vocabulary does not have */
export function checkIds(ids: readonly number[], vocabulary: number, path: string): void {
  const bad = ids.findIndex((id) => id >= vocabulary);
  if (bad >= 0)
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}[${bad}]: expected a token id below ${vocabulary}, got ${ids[bad]}`,
    );
}

/** A tokeniser may find no tokens in a text of spaces. */
function checkLength(tokens: number, { path, limit }: { path: string; limit: number }): void {
  if (tokens === 0)
    throw new FailureError('INVALID_REQUEST', `${path}: expected at least one token, got an empty prompt`);
  if (tokens > limit) throw tooLong(path, `${tokens}`, limit);
}

/**
 * Tokenises an instruction together with the text after it, as the model was trained: many tokenizers join a word with the
 * space or the mark before it. A token that holds the end of the one and the beginning of the other counts to the text.
 * Before an item that is not a text the instruction is tokenised alone, without the spaces at its end.
 *
 * @param instruction  '' for none
 * @returns the instruction's ids; the first item as tokenised after them, undefined: it is tokenised alone
 * @throws {FailureError} PROMPT_TOO_LONG
 * @source sentence-transformers 5, `SentenceTransformer.encode`: `prompt + sentence`
 */
export function openingOf(
  item: JobPrompt['items'][number] | undefined,
  instruction: string,
  tokenizer: Tokenizer,
  place: { readonly path: string; readonly limit: number },
): { readonly instruction: readonly number[]; readonly text?: TokenizedText } {
  if (instruction === '') return { instruction: [] };
  if (item?.type !== 'text') return { instruction: tokenizer.tokenize(instruction.trimEnd()).ids };
  const { ids, spans } = tokenizeWithin(tokenizer, instruction + item.text, place);
  const first = spans.findIndex(({ start, length }) => start + length > instruction.length);
  const end = first < 0 ? ids.length : first;
  return {
    instruction: ids.slice(0, end),
    text: {
      text: item.text,
      ids: ids.slice(end),
      spans: spans.slice(end).map(({ start, length }) => {
        const begin = Math.max(0, start - instruction.length);
        return { start: begin, length: Math.max(0, start + length - instruction.length - begin) };
      }),
    },
  };
}

/** Longer texts take a second and more to tokenise. */
const LONG_TEXT = 2 ** 18;

/**
 * Tokenises a text; a long one that has too many characters is rejected before, even if the tokenizer would drop some.
 *
 * @throws {FailureError} PROMPT_TOO_LONG
 */
export function tokenizeWithin(
  tokenizer: Tokenizer,
  text: string,
  { path, limit }: { path: string; limit: number },
): TokenizedText {
  const least = Math.ceil(text.length / tokenizer.longestPiece);
  if (least > limit && text.length > LONG_TEXT) throw tooLong(path, `at least ${least}`, limit);
  return tokenizer.tokenize(text);
}

/** The failure for a text that does not fit the context. */
export function tooLong(path: string, got: string, limit: number): FailureError {
  return new FailureError('PROMPT_TOO_LONG', `${path}: expected at most ${limit} tokens, got ${got}`);
}

/**
 * Decodes an image and encodes the square that the model sees.
 *
 * @param path  of the item in the request
 * @returns with its input embeddings, `[tokens, width]`
 * @throws {FailureError} INVALID_REQUEST for a file that cannot be decoded, or a crop outside the picture
 */
async function readPicture(
  { file, format, crop, path: filePath }: JobImage,
  path: string,
  reader: ImageReader,
): Promise<{ seen: SeenPicture; rows: Float32Array }> {
  const picture = await reader.decode(unsharedBytes(file), format);
  if (!picture) throw invalid(filePath ?? `${path}.data`, `a ${format} file that can be decoded`, 'a broken one');
  try {
    const { width, height } = picture;
    const square = crop ? checkedCrop(crop, picture, path) : centreSquare(width, height);
    return { seen: { width, height, square, grid: reader.grid }, rows: await reader.embed(picture, square) };
  } finally {
    picture.close();
  }
}

function checkedCrop(crop: Square, { width, height }: { width: number; height: number }, path: string): Square {
  const { x, y, size } = crop;
  if (x + size > width) throw invalid(`${path}.x`, `x + size of at most ${width}`, `${x + size}`);
  if (y + size > height) throw invalid(`${path}.y`, `y + size of at most ${height}`, `${y + size}`);
  return crop;
}

function invalid(path: string, expected: string, got: string): FailureError {
  return new FailureError('INVALID_REQUEST', `${path}: expected ${expected}, got ${got}`);
}

/** Factors on the attention paid to each position of one sequence, and their formula. */
interface SequenceControls extends Perturbation {
  /** Factors of the prompt's controls, float64 `[ids]`. */
  readonly factors: Float64Array;
  /** Factors of one other control alone, float64 `[ids]`. */
  alone(control: ItemControl): Float64Array;
}

/**
 * The controls of a sequence, spread to similar positions where there is a threshold. A picture's tiles are compared by their
 * input embeddings.
 *
 * @param sequence  as it is fed, special ids included
 * @throws {FailureError} INVALID_REQUEST where the prompt's controls multiply to more than the limit of a factor
 * @source          contract facts §2.2
 */
export async function sequenceControls(
  { path, ids, items, controls, embeddingOverrides }: Sequence,
  { contextual_control_threshold: threshold = null, control_log_additive: logAdditive }: ControlOptions,
  model: LoadedModel,
): Promise<SequenceControls> {
  const positions = ids.length;
  const spreading =
    threshold === null
      ? null
      : { threshold, positions, similarity: await similarityOf(ids, embeddingOverrides, model) };
  const factorsOf = (wanted: readonly ItemControl[]) => {
    const explicit = controlFactors(items, wanted);
    return denseFactors(spreading ? spread(explicit, spreading) : explicit, positions);
  };
  return {
    mode: logAdditive ? 'additive' : 'multiplicative',
    factors: withinLimit(factorsOf(controls), `${path} controls`),
    alone: (control) => factorsOf([control]),
  };
}

async function similarityOf(
  ids: Sequence['ids'],
  overrides: Sequence['embeddingOverrides'],
  { network }: LoadedModel,
): Promise<(i: number, j: number) => number> {
  const { width } = network.shape;
  const rows = await network.embeddings(Int32Array.from(ids));
  overrideRows(rows, overrides, { first: 0, width });
  return cosineOf(rows, width);
}

/**
 * Checks factors, each the product of all controls on its position.
 *
 * @param path  of the prompt or field that they come from
 * @returns the factors unchanged
 * @throws {FailureError} INVALID_REQUEST where a product is beyond the limit of a factor
 */
export function withinLimit<Factors extends Iterable<number>>(factors: Factors, path: string): Factors {
  for (const factor of factors)
    if (!(factor <= MAX_FACTOR))
      throw new FailureError(
        'INVALID_REQUEST',
        `${path}: expected controls whose factors on one token multiply to at most ${MAX_FACTOR}, got ${factor}`,
      );
  return factors;
}

/** Decides which sequences of these lengths share a pass of a network: each index exactly once. */
export function paddedBatches(lengths: readonly number[], network: Network): number[][] {
  const { shape } = network;
  const bytesOf = (tokens: number) => activationBytes(shape, tokens, tokens, 0);
  return planPasses(lengths, costsOf(network), { bytesOf, takesPadding: shape.takesPadding });
}

/** A run of sequences padded on the right to the longest, with the end of each and its factors; without factors all are 1. */
export function paddedRun(
  sequences: readonly { readonly ids: readonly number[]; readonly factors?: ArrayLike<number> | undefined }[],
  mode: Perturbation['mode'],
  paddingId: number,
): NetworkRun {
  const batch = sequences.length;
  const lengths = Int32Array.from(sequences, ({ ids }) => ids.length);
  const tokens = Math.max(...lengths);
  const block = batch * tokens;
  const ids = paddedRows(
    sequences.map((each) => each.ids),
    new Int32Array(block).fill(paddingId),
  );
  const factors = paddedRows(
    sequences.map((each) => each.factors ?? []),
    new Float64Array(block).fill(1),
  );
  return {
    batch,
    ids,
    ...(lengths.some((length) => length < tokens) && { lengths }),
    ...(factors.some((factor) => factor !== 1) && { perturbation: { mode, factors } }),
  };
}

/** Rows copied into a block that holds the padding, `[rows, tokens]`. */
export function paddedRows<Block extends Int32Array | Float32Array | Float64Array>(
  rows: readonly ArrayLike<number>[],
  block: Block,
): Block {
  rows.forEach((row, i) => block.set(row, (i * block.length) / rows.length));
  return block;
}
