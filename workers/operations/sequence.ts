import { codePointMap } from '../../src/contract/code-points.ts';
import { FailureError } from '../../src/contract/failure.ts';
import type { PromptItem, TextControl, TokenControl } from '../../src/contract/prompt.ts';
import type { ControlOptions } from '../../src/protocol/jobs.ts';
import type { TokenizedText, Tokenizer } from '../engine/tokenizer.ts';
import { combined, factorsOnText, spread, type PositionFactor } from '../kernels/attention-control.ts';
import { cosineOf } from '../kernels/similarity.ts';
import type { LoadedModel } from '../engine/engine.ts';

/** A prompt item's place in the sequence. */
export type SequenceItem =
  | { readonly type: 'text'; readonly first: number; readonly count: number; readonly tokenized: TokenizedText }
  | { readonly type: 'token_ids'; readonly first: number; readonly count: number };

/** A prompt as the network reads it. */
export interface Sequence {
  /** Special ids of the model, then the prompt's. */
  readonly ids: readonly number[];
  /** Number of special ids in front; they are neither counted nor pooled nor explained. */
  readonly specials: number;
  readonly items: readonly SequenceItem[];
  /** Factors that the items' controls put on positions. */
  readonly controls: ReadonlyMap<number, number>;
}

/**
 * Tokenises and concatenates prompt items.
 *
 * @throws {FailureError} INVALID_REQUEST for an empty prompt, an unknown token id, a control outside its item or text that
 *   is not well-formed; PROMPT_TOO_LONG; MISSING_CAPABILITY for images
 */
export function sequenceOf(prompt: readonly PromptItem[], { network, tokenizer }: LoadedModel): Sequence {
  const { contextTokens } = network.shape;
  const ids = [...tokenizer.prefix];
  const items: SequenceItem[] = [];
  const factors: PositionFactor[] = [];
  prompt.forEach((item, index) => {
    const path = `prompt[${index}]`;
    const first = ids.length;
    if (item.type === 'image')
      throw new FailureError('MISSING_CAPABILITY', `${path}: this model reads text and token ids, got an image`);
    if (item.type === 'text') {
      const tokenized = tokenizeWithin(tokenizer, item.data, { path: `${path}.data`, limit: contextTokens });
      ids.push(...tokenized.ids);
      items.push({ type: 'text', first, count: tokenized.ids.length, tokenized });
      factors.push(...textFactors(item.controls ?? [], tokenized, first, path));
    } else {
      checkIds(item.data, tokenizer.vocabulary, `${path}.data`);
      ids.push(...item.data);
      items.push({ type: 'token_ids', first, count: item.data.length });
      factors.push(...tokenFactors(item.controls ?? [], item.data.length, first, path));
    }
  });
  checkLength(ids.length - tokenizer.prefix.length, { specials: tokenizer.prefix.length, limit: contextTokens });
  return { ids, specials: tokenizer.prefix.length, items, controls: combined(factors) };
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
  const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(text);
  if (lone)
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}: expected well-formed Unicode, got a lone surrogate at UTF-16 offset ${lone.index}`,
    );
  const least = Math.ceil(text.length / tokenizer.longestPiece);
  if (least > limit) throw tooLong(path, `at least ${least}`, limit);
  return tokenizer.tokenize(text);
}

function checkIds(ids: readonly number[], vocabulary: number, path: string): void {
  const bad = ids.findIndex((id) => id >= vocabulary);
  if (bad >= 0)
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}[${bad}]: expected a token id below ${vocabulary}, got ${ids[bad]}`,
    );
}

function checkLength(tokens: number, { specials, limit }: { specials: number; limit: number }): void {
  if (tokens === 0)
    throw new FailureError('INVALID_REQUEST', 'prompt: expected at least one token, got an empty prompt');
  if (specials + tokens > limit) throw tooLong('prompt', `${tokens}`, limit - specials);
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
 * @param ids  the whole sequence as it is fed, special ids included
 */
export async function spreader(
  { network }: LoadedModel,
  ids: readonly number[],
  { contextualThreshold: threshold }: ControlOptions,
): Promise<(explicit: ReadonlyMap<number, number>) => ReadonlyMap<number, number>> {
  if (threshold === null) return (explicit) => explicit;
  const similarity = cosineOf(await network.embeddings(Int32Array.from(ids)), network.shape.width);
  return (explicit) => spread(explicit, { threshold, positions: ids.length, similarity });
}
